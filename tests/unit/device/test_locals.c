// Arrays of a thread that cannot be in registers, in dumps as gcc writes them.
#include "device/inspect/local_arrays.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

#define KERNEL "__attribute__((visibility (\"protected\"), patchable_function_entry (1, 0)))\n"
#define HEAD                                                                                       \
    ";; Function f (f, funcdef_no=1, decl_uid=2, cgraph_uid=3, symbol_order=4)\n\n%s"              \
    "void f (const float * A, int K)\n{\n  int i;\n  float acc[8][4];\n"                           \
    "  float[136] * _33;\n\n  <bb 2> [local count: 1]:\n%s\n}\n\n\n"

static char most[DUMP_LINE_BYTES];  // the kernel with the largest arrays

static struct build_report find(const char *attributes, const char *body) {
    char dump[4096];
    struct build_report report;
    memset(&report, 0, sizeof report);
    (void)snprintf(dump, sizeof dump, HEAD, attributes, body);
    locals_find(dump, "", &report, most);
    ck_assert_uint_ge(report.local_bytes, 8 * 4 * 4);
    return report;
}

// Lines of a function, and whether acc is then out of registers.
static const struct {
    const char *attributes, *body;
    bool is_local;
} bodies[] = {
    // A parameter of the kernel, the place of the thread, a value from memory.
    {KERNEL, "  _1 = K_7(D) + 3;\n  _2 = acc[_1][0];", true},
    {KERNEL, "  _1 = threadIdx.x;\n  x_3 = (const int) _1;\n  acc[1][x_3] = 0.0;", true},
    {KERNEL, "  _1 = *_9;\n  _4 = (int) _1;\n  _5 = _4 % 8;\n  acc[_5][1] = 0.0;", true},
    // A loop that ends by a parameter.
    {KERNEL,
     "  # i_2 = PHI <0(2), i_3(4)>\n  if (i_2 < K_7(D))\n  acc[i_2][0] = 0.0;\n  i_3 = i_2 + 1;",
     true},
    // A pointer into it, moved by the place of the thread.
    {KERNEL, "  _3 = threadIdx.x;\n  _4 = (long unsigned int) _3;\n  p_6 = &acc[0][0] + _4;",
     false},
    // Counters and pointers that such a loop carries on, and a member of a struct.
    {KERNEL,
     "  # i_2 = PHI <0(2), i_3(4)>\n  # at_4 = PHI <0(2), at_5(4)>\n  if (i_2 < K_7(D))\n"
     "  acc[at_4][0] = 0.0;\n  at_5 = at_4 ^ 1;\n  i_3 = i_2 + 1;",
     true},
    {KERNEL,
     "  # p_4 = PHI <&acc(2), p_5(4)>\n  # i_2 = PHI <0(2), i_3(4)>\n  if (i_2 < K_7(D))\n"
     "  *p_4 = 0.0;\n  p_5 = p_4 + 4;\n  i_3 = i_2 + 1;",
     true},
    {KERNEL, "  _1 = K_7(D) + 3;\n  _2 = acc.sum[_1];", true},
    {KERNEL, "  p_5 = &acc;\n  _3 = threadIdx.x;\n  p_6 = p_5 + _3;\n  *p_6 = 0.0;", true},
    // Near misses: a choice after a branch in such a loop, loops that nvcc unrolls, a bound of C in
    // one of them, a helper's parameter, a member and shared memory of that name.
    {KERNEL,
     "  # i_2 = PHI <0(2), i_3(4)>\n  if (i_2 < K_7(D))\n  <bb 5>:\n"
     "  # at_4 = PHI <0(2), 1(4)>\n  acc[at_4][3] = 0.0;\n  i_3 = i_2 + 1;",
     false},
    {KERNEL,
     "  # i_2 = PHI <0(2), i_3(4)>\n  if (i_2 <= 7)\n  acc[i_2][3] = 0.0;\n  i_3 = i_2 + 1;",
     false},
    {KERNEL,
     "  # i_2 = PHI <0(2), i_3(4)>\n  if (i_2 <= 7)\n  if (i_2 < K_7(D))\n  acc[i_2][3] = 0.0;\n"
     "  i_3 = i_2 + 1;",
     false},
    {"", "  _1 = K_7(D) + 3;\n  _2 = acc[_1][0];", false},
    {KERNEL, "  _1 = threadIdx.x;\n  _2 = slices[0].acc[_1][0];", false},
    {KERNEL, "  _1 = threadIdx.x;\n  _2 = As[_1][0];", false},
};

START_TEST(an_index_of_run_time_is_told_from_an_unrolled_one) {
    struct build_report report = find(bodies[_i].attributes, bodies[_i].body);
    ck_assert_str_eq(report.local_name, bodies[_i].is_local ? "acc" : "");
}
END_TEST

START_TEST(a_pointer_to_an_array_is_no_array) {
    struct build_report report = find(KERNEL, "  _33 = (float[136] *) &memory;");
    ck_assert_uint_eq(report.local_bytes, 8 * 4 * 4);
}
END_TEST

// Loops that end by a constant, whose line 2 stands under a pragma.
static const struct {
    const char *source;
    int end;
    bool is_local;
} loops[] = {
    {"#pragma unroll 1\nfor (int i = 0; i < 8; ++i) {", 8, true},
    {"#pragma nounroll\nfor (int i = 0; i < 8; ++i) {", 8, true},
    {"#pragma unroll (2)\nfor (int i = 0; i < 8; ++i) {", 8, true},
    {"#pragma unroll ONE\nfor (int i = 0; i < 8; ++i) {}\n#define ONE (1)\n", 8, true},
    {"#pragma unroll 1 // so\nfor (int i = 0;\n i < 8; ++i) {}", 8, true},
    {"#pragma unroll 1\ndo { f(i); } while (++i < 8);", 0, true},
    // Near misses: whole, by the compiler's choice, another line.
    {"#pragma unroll\nfor (int i = 0; i < 8; ++i) {", 8, false},
    {"#pragma unroll 8\nfor (int i = 0; i < 8; ++i) {", 8, false},
    {"#pragma unroll COUNT\nfor (int i = 0; i < 8; ++i) {", 8, false},
    {"#pragma unroll 1\n\n\nfor (int k = 0; k < K; ++k) {", 8, false},
};

START_TEST(a_loop_that_stays_one_has_an_index_of_run_time) {
    char dump[1024];
    struct build_report report = {.local_name = ""};
    char body[256];
    (void)snprintf(body, sizeof body,
                   "  # i_2 = PHI <0(2), i_3(4)>\n  [a.cu:2:9] [a.cu:2:7] acc[i_2][3] = 0.0;\n"
                   "  [a.cu:2:5] i_3 = i_2 + 1;\n  [a.cu:2:20 discrim 1] if (i_3 != %d)",
                   loops[_i].end);
    (void)snprintf(dump, sizeof dump, HEAD, KERNEL, body);
    locals_find(dump, loops[_i].source, &report, most);
    ck_assert_str_eq(report.local_name, loops[_i].is_local ? "acc" : "");
}
END_TEST

START_TEST(a_function_that_is_not_inlined_gets_an_address) {
    static const char dump[] =
        ";; Function add (_Z3addPf)\n\n__attribute__((noinline, patchable_function_entry (1, 0)))\n"
        "void add (float * sum)\n{\n  <bb 2> [local count: 1]:\n  return;\n}\n\n"
        ";; Function f (_Z1fi, funcdef_no=2)\n\n" KERNEL
        "void f (int K)\n{\n  float sum[4];\n  float other[2];\n"
        "  float[64][36] * tile;\n\n"
        "  <bb 2> [local count: 1]:\n  %s (&sum, 3);\n}\n";
    char text[1024];
    struct build_report report = {.local_name = ""};
    (void)snprintf(text, sizeof text, dump, "add");
    locals_find(text, "", &report, most);
    ck_assert_str_eq(report.local_name, "sum");
    ck_assert_str_eq(most, "_Z1fi");
    report.local_name[0] = '\0';
    (void)snprintf(text, sizeof text, dump,
                   "inlined");  // nvcc inlines it, though gcc here does not
    locals_find(text, "", &report, most);
    ck_assert_str_eq(report.local_name, "");
    ck_assert_uint_eq(report.local_bytes, 24);
}
END_TEST

START_TEST(the_kernel_with_the_largest_arrays_is_named) {
    static const char dump[] =
        ";; Function small (_Z5small, funcdef_no=1)\n\n" KERNEL
        "void small (int K)\n{\n  float sum[4];\n\n  <bb 2> [local count: 1]:\n}\n\n"
        ";; Function large (_Z5large, funcdef_no=2)\n\n%s"
        "void large (int K)\n{\n  float sum[8];\n\n  <bb 2> [local count: 1]:\n}\n\n"
        ";; Function last (_Z4last, funcdef_no=3)\n\n" KERNEL
        "void last (int K)\n{\n  float sum[8];\n\n  <bb 2> [local count: 1]:\n}\n";
    char text[1024];
    struct build_report report = {.local_name = ""};
    (void)snprintf(text, sizeof text, dump, KERNEL);
    locals_find(text, "", &report, most);
    ck_assert_str_eq(most, "_Z5large");
    report.local_bytes = 0;
    (void)snprintf(text, sizeof text, dump, "");  // a function that kernels call
    locals_find(text, "", &report, most);
    ck_assert_str_eq(most, "");
}
END_TEST

START_TEST(the_size_of_a_struct_is_known_from_its_first_value) {
    struct build_report report = find(
        KERNEL, "  mine = .DEFERRED_INIT (4096, 1, &\"mine\"[0]);\n  x_3 = .DEFERRED_INIT (4, 1, "
                "&\"x\"[0]);");
    ck_assert_uint_eq(report.local_bytes, 4096 + 128);
    ck_assert_str_eq(report.local_name, "");
}
END_TEST

START_TEST(foreign_text_is_harmless) {
    struct build_report report;
    static const char *const texts[] = {"",
                                        "{",
                                        "{\n",
                                        "{\n  float a[",
                                        "{\n  float a[99999999999]["
                                        "99999999999999][9];\n<bb 2>\n  a[[[_1]]\n  if (\n  # x",
                                        ";; Function \n{\n  float [4];\n  <bb \n  _99999999999 = "
                                        "&;\n}\n",
                                        "__attribute__((noinline\n(\n{\n}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        memset(&report, 0, sizeof report);
        locals_find(texts[i], "", &report, most);
    }
}
END_TEST

SUITE() {
    Suite *suite = suite_create("locals");
    TCase *tests = tcase_create("locals");
    tcase_add_loop_test(tests, an_index_of_run_time_is_told_from_an_unrolled_one, 0,
                        (int)(sizeof bodies / sizeof *bodies));
    tcase_add_loop_test(tests, a_loop_that_stays_one_has_an_index_of_run_time, 0,
                        (int)(sizeof loops / sizeof *loops));
    tcase_add_test(tests, a_pointer_to_an_array_is_no_array);
    tcase_add_test(tests, a_function_that_is_not_inlined_gets_an_address);
    tcase_add_test(tests, the_kernel_with_the_largest_arrays_is_named);
    tcase_add_test(tests, the_size_of_a_struct_is_known_from_its_first_value);
    tcase_add_test(tests, foreign_text_is_harmless);
    suite_add_tcase(suite, tests);
    return suite;
}

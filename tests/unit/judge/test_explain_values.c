// What the values of variables say about an access out of bounds: nine mistakes of beginners that
// read the same places, and what must not be said.
#include "judge/say/values_story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/code/access_text.h"
#include "judge/say/finding_text.h"

#include "suite.h"  // last: Check has a macro called fail

#define KERNEL(sizes, check, before, sum, store)                                                   \
    "#define TILE 16\n"                                                                            \
    "__global__ void matmul_naive(const float *A, const float *B, float *C, " sizes ") {\n"        \
    "    int row = blockIdx.y * TILE + threadIdx.y;\n"                                             \
    "    int col = blockIdx.x * TILE + threadIdx.x;\n"                                             \
    "    " check "\n"                                                                              \
    "        float acc = 0.0f;" before "\n"                                                        \
    "        for (int k = 0; k < K; ++k) {\n"                                                      \
    "            acc += " sum ";\n"                                                                \
    "        }\n"                                                                                  \
    "        C[" store "] = acc;\n"                                                                \
    "    }\n"                                                                                      \
    "}\n"
#define SIZES    "int M, int N, int K"
#define CHECK    "if (row < M && col < N) {"
#define SUM      "A[row * K + k] * B[k * N + col]"
#define STORE    "row * N + col"
#define OF_CHECK "The check in line 5 let it pass, "

struct known {
    const char *name;
    int64_t value;
};

static const struct {
    const char *text;
    const char *marked;  // the access
    uint32_t line, array, access;
    struct size size;
    int64_t index;
    struct known known[10];
    const char *clause;
    const char *says;  // after the clause
} cases[] = {
    {KERNEL(SIZES, "{", "", SUM, STORE),
     "B[k * N + col]",
     8,
     ARRAY_B,
     ACCESS_READ,
     {1, 1, 1},
     1,
     {{"k", 0}, {"N", 1}, {"col", 1}, {"M", 1}, {"K", 1}},
     "thread (1, 0, 0) has no element of C (1x1), but it reads B[0][1]: here col = 1, k = 0, N = 1",
     "No check keeps it out. A GPU"},
    {KERNEL(SIZES, "if (row < M || col < N) {", "", SUM, STORE),
     "B[k * N + col]",
     8,
     ARRAY_B,
     ACCESS_READ,
     {1, 1, 1},
     1,
     {{"row", 0}, {"k", 0}, {"N", 1}, {"col", 1}, {"M", 1}, {"K", 1}},
     "thread (1, 0, 0) has no element of C (1x1), but it reads B[0][1]: here row = 0, col = 1, "
     "k = 0, N = 1",
     OF_CHECK "although col < N is false here. A GPU"},
    {KERNEL(SIZES, "if (row <= M && col <= N) {", "", SUM, STORE),
     "A[row * K + k]",
     8,
     ARRAY_A,
     ACCESS_READ,
     {1, 1, 1},
     1,
     {{"row", 1}, {"k", 0}, {"N", 1}, {"col", 0}, {"M", 1}, {"K", 1}},
     "thread (1, 0, 0) has no element of C (1x1), but it reads A[1][0]: here row = 1, col = 0, "
     "k = 0, M = 1",
     OF_CHECK "because row <= M is true here. A GPU"},
    {KERNEL(SIZES, "if (row = M && col < N) {", "", SUM, STORE),
     "A[row * K + k]",
     8,
     ARRAY_A,
     ACCESS_READ,
     {1, 1, 1},
     1,
     {{"row", 1}, {"k", 0}, {"N", 1}, {"col", 0}, {"M", 1}, {"K", 1}},
     "A[1][0] was read, but the last row of A is 0: here row = 1, col = 0, k = 0, M = 1",
     "The check in line 5 let it pass. It was"},
    {KERNEL(SIZES, "if (row < M && col < N); {", "", SUM, STORE),
     STORE,
     10,
     ARRAY_C,
     ACCESS_WRITE,
     {1, 1, 1},
     1,
     {{"row", 0}, {"N", 1}, {"col", 1}, {"M", 1}, {"K", 1}},
     "thread (1, 0, 0) has no element of C (1x1), but it stores to C[0][1]: here row = 0, "
     "col = 1, M = 1, N = 1",
     "The `if` in line 5 ends at its `;`, so it keeps no thread out. A GPU"},
    {KERNEL(SIZES, "if (row < M) {", "", SUM, STORE),
     "B[k * N + col]",
     8,
     ARRAY_B,
     ACCESS_READ,
     {1, 1, 1},
     1,
     {{"row", 0}, {"k", 0}, {"N", 1}, {"col", 1}, {"M", 1}, {"K", 1}},
     "thread (1, 0, 0) has no element of C (1x1), but it reads B[0][1]: here row = 0, col = 1, "
     "k = 0, N = 1",
     "The check in line 5 does not look at col. A GPU"},
    {KERNEL(SIZES, "if (row < N && col < M) {", "", SUM, STORE),
     "A[row * K + k]",
     8,
     ARRAY_A,
     ACCESS_READ,
     {1, 2, 1},
     1,
     {{"row", 1}, {"k", 0}, {"N", 2}, {"col", 0}, {"M", 1}, {"K", 1}},
     "thread (1, 0, 0) has no element of C (1x2), but it reads A[1][0]: here row = 1, col = 0, "
     "k = 0, M = 1, N = 2",
     OF_CHECK "because row < N is true here. A GPU"},
    {KERNEL("int N, int M, int K", CHECK, "", SUM, STORE),
     "A[row * K + k]",
     8,
     ARRAY_A,
     ACCESS_READ,
     {1, 2, 1},
     1,
     {{"row", 1}, {"k", 0}, {"N", 1}, {"col", 0}, {"M", 2}, {"K", 1}},
     "thread (1, 0, 0) has no element of C (1x2), but it reads A[1][0]: here row = 1, col = 0, "
     "k = 0, M = 2",
     OF_CHECK "because row < M is true here. Line 2 names the sizes N, M, K, but the grader passes "
              "M, N, K. A GPU"},
    {KERNEL(SIZES, CHECK, " int K = 16;", SUM, STORE),
     "A[row * K + k]",
     8,
     ARRAY_A,
     ACCESS_READ,
     {1, 1, 1},
     1,
     {{"row", 0}, {"k", 1}, {"N", 1}, {"col", 0}, {"M", 1}, {"K", 16}},
     "the index multiplies row by K, but a row of A has 1 element: here row = 0, k = 1, K = 16",
     "This K is the one of line 6; the kernel was called with K = 1. It was"},
    // A check that is right for another array is not blamed.
    {KERNEL(SIZES, CHECK, "", "A[row * K + k] * B[col * N + k]", STORE),
     "B[col * N + k]",
     8,
     ARRAY_B,
     ACCESS_READ,
     {1, 2, 1},
     2,
     {{"row", 0}, {"k", 0}, {"N", 2}, {"col", 1}, {"M", 1}, {"K", 1}},
     "B[1][0] was read, but the last row of B is 0: here row = 0, col = 1, k = 0, K = 1",
     "It was thread (1, 0, 0) of the first block. A GPU"},
    {KERNEL(SIZES, CHECK, "", "A[row * N + k] * B[k * N + col]", STORE),
     "A[row * N + k]",
     8,
     ARRAY_A,
     ACCESS_READ,
     {2, 2, 1},
     2,
     {{"row", 1}, {"k", 0}, {"N", 2}, {"col", 0}, {"M", 2}, {"K", 1}},
     "the index multiplies row by N, but a row of A has 1 element: here row = 1, k = 0, N = 2",
     "It was thread (1, 0, 0) of the first block. A GPU"},
    // Thread coarsening: the thread may have other elements.
    {KERNEL(SIZES, "for (int i = 0; i < 2; ++i, row += 16) {", "", SUM, STORE),
     "A[row * K + k]",
     8,
     ARRAY_A,
     ACCESS_READ,
     {1, 1, 1},
     1,
     {{"row", 1}, {"k", 0}, {"N", 1}, {"i", 0}, {"M", 1}, {"K", 1}},
     "A[1][0] was read, but the last row of A is 0: here row = 1, i = 0, k = 0, M = 1",
     "It was thread (1, 0, 0) of the first block. A GPU"},
};

static struct judged_finding finding_of(int i) {
    struct judged_finding finding = {.finding = {.kind = FINDING_OUT_OF_BOUNDS,
                                                 .severity = SEVERITY_ERROR,
                                                 .pc = 1,
                                                 .count = 1,
                                                 .space = SPACE_GLOBAL,
                                                 .array = cases[i].array,
                                                 .offset = 4 * cases[i].index,
                                                 .access = cases[i].access,
                                                 .access_bytes = 4,
                                                 .thread = {1, 0, 0},
                                                 .line = cases[i].line},
                                     .device = DEVICE_EMU,
                                     .size = cases[i].size};
    struct size size = cases[i].size;
    int rows = cases[i].array == ARRAY_B ? size.k : size.m;
    finding.finding.array_bytes =
        4u * (uint64_t)rows * (uint64_t)(cases[i].array == ARRAY_A ? size.k : size.n);
    const char *line = cases[i].text;
    for (uint32_t l = 1; l < cases[i].line; l++) {
        line = strchr(line, '\n') + 1;
    }
    line += strspn(line, " ");
    (void)snprintf(finding.shown.text, sizeof finding.shown.text, "%.*s", (int)strcspn(line, "\n"),
                   line);
    const char *marked = strstr(finding.shown.text, cases[i].marked);
    const char *end = strchr(marked, ']');
    finding.shown.mark =
        mark_find(finding.shown.text, (uint32_t)(end - finding.shown.text), cases[i].access);
    finding_explain(&finding, NULL);
    return finding;
}

// The values as a worker would send them.
static uint32_t note(int i, const struct index_watch *watch, int64_t *numbers) {
    numbers[0] = cases[i].index;
    for (int item = 0; item < watch->count; item++) {
        numbers[item + 1] = VALUE_NONE;
        for (const struct known *known = cases[i].known; known->name; known++) {
            if (strcmp(known->name, watch->item[item].name) == 0) {
                numbers[item + 1] = known->value;
            }
        }
    }
    return (uint32_t)watch->count + 1;
}

START_TEST(values_tell_mistakes_apart) {
    struct judged_finding finding = finding_of(_i);
    int64_t numbers[FINDING_VALUES_MAX];
    const char *text = cases[_i].text;
    struct index_watch watch = watch_choose(text, strlen(text), &finding, "matmul_naive");
    uint32_t count = note(_i, &watch, numbers);
    ck_assert(values_explain(&finding, &watch, count, numbers));
    ck_assert_str_eq(plain(finding.clause), cases[_i].clause);
    const char *rest = plain(finding.message) + strlen(plain(finding.clause)) + 2;
    ck_assert_msg(strncmp(rest, cases[_i].says, strlen(cases[_i].says)) == 0, "%s", rest);
    watch_done(&watch);
}
END_TEST

START_TEST(a_note_of_another_access_says_nothing) {
    struct judged_finding finding = finding_of(1);
    const struct judged_finding before = finding;
    int64_t numbers[FINDING_VALUES_MAX];
    const char *text = cases[1].text;
    struct index_watch watch = watch_choose(text, strlen(text), &finding, "matmul_naive");
    uint32_t count = note(1, &watch, numbers);
    numbers[0]++;
    ck_assert(!values_explain(&finding, &watch, count, numbers));
    ck_assert(!values_explain(&finding, &watch, count - 1, numbers));
    ck_assert_str_eq(finding.message, before.message);
    watch_done(&watch);
}
END_TEST

// An access in each text, between ~ and ~, and what is compiled in its place; "" if nothing is.
static const struct {
    const char *text;
    const char *noted;
} texts[] = {
    {"    x = ~A[i + 1]~;", "A[__tilegrade_note((i + 1), (i), (M), (N), (K))]"},
    {"    for (int t = 0; t < T; ++t) ~s[t][i]~ = 0;",
     "s[t][__tilegrade_note((i), (t), (i), (M), (N), (K))]"},
    {"    x = i < M ? ~A[i]~ : 0;", "A[__tilegrade_note((i), (i), (M), (N), (K))]"},
    {"    x = ~*(float4 *)&A[i * K + (i / 2)]~;",
     "*(float4 *)&A[__tilegrade_note((i * K + (i / 2)), (i), (K), (i / 2), (M), (N))]"},
    {"    x = ~A[TILE * threadIdx.x]~;", ""},  // no variable
    {"    x = ~A[i++]~;", ""},                 // it is another one after the access
    {"    x = ~A[next(i)]~;", ""},
    {"    x = ~A[INDEX(i, j)]~;", "A[__tilegrade_note((INDEX(i, j)), (i), (M), (N), (K))]"},
    {"    x = ~*p~;", ""},
    {"    auto f = [&](int j) { return ~A[j]~; };", ""},  // a function of its own
};

START_TEST(a_note_is_written_around_the_index) {
    char source[512];
    char wanted[512];
    const char *line = texts[_i].text;
    const char *first = strchr(line, '~');
    const char *last = strchr(first + 1, '~');
    const char *head = "__global__ void k(float *A, float *B, float *C, int M, int N, int K) {\n"
                       "    int i = 3, x = 0;\n";
    (void)snprintf(source, sizeof source, "%s%.*s%.*s%s\n}\n", head, (int)(first - line), line,
                   (int)(last - first - 1), first + 1, last + 1);
    (void)snprintf(wanted, sizeof wanted, "%s%.*s%s%s\n}\n", head, (int)(first - line), line,
                   texts[_i].noted, last + 1);
    struct judged_finding finding = {
        .finding = {.kind = FINDING_OUT_OF_BOUNDS, .line = 3},
        .shown.mark = {(uint32_t)(first - line - 4), (uint32_t)(last - first - 1)}};
    struct index_watch watch = watch_choose(source, strlen(source), &finding, "k");
    ck_assert_int_eq(watch.count == 0, texts[_i].noted[0] == '\0');
    if (watch.count > 0) {
        char *text = watch_write(&watch);
        ck_assert_str_eq(text, wanted);
        free(text);
    }
    watch_done(&watch);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("explain_values");
    TCase *tests = tcase_create("values");
    tcase_add_loop_test(tests, values_tell_mistakes_apart, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(tests, a_note_of_another_access_says_nothing);
    tcase_add_loop_test(tests, a_note_is_written_around_the_index, 0,
                        sizeof texts / sizeof texts[0]);
    suite_add_tcase(suite, tests);
    return suite;
}

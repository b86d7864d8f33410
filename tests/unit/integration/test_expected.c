// An expected.c that is wrong gets its line and a remedy; an output that is wrong gets a
// description and a cause.
#include "suite.h"

#include <math.h>

#include "base/basics.h"
#include "base/words.h"
#include "expected_rig.h"
#include "judge/oracle/expected_check.h"

#define REDUCTION "N\nx = in float [N]\ny = out float [1]\nN = int"
#define SQUARE    "N\nx = in float [N][N]\ny = out float [1]\nN = int"
#define MAP       "N\nx = in float [N]\ny = out float [N]\nN = int"
#define HEAD      "void f(const number *x, number *y, int N) {\n"

// --- Mistakes in expected.c ---------------------------------------------------------------------

static const struct {
    const char *declaration, *text;
    enum inputs_kind kind;
    const char *says;
} bad[] = {
    {REDUCTION, HEAD "    y[0] = x[0]\n}\n", INPUTS_EXACT,
     "expected.c:2: does not compile: expected ';' before '}' token"},
    {REDUCTION, HEAD "    float sum = x[0];\n    y[0] = sum;\n}\n", INPUTS_EXACT,
     "expected.c:2: does not compile: cannot convert 'const number' to 'float' in initialization; "
     "declare it as number"},
    {REDUCTION, HEAD "    y[0] = cbrtf(x[0]);\n}\n", INPUTS_EXACT,
     "to 'float'; expected.c has number, EACH, exp, log,"},
    {REDUCTION, HEAD "    int k = x[0];\n    y[0] = k;\n}\n", INPUTS_EXACT,
     "in initialization; a number as an index is (int)x"},
    {REDUCTION, "int check_f(const float *x, const float *y, int N) {\n}\n", INPUTS_EXACT,
     "expected.c:2: does not compile: no return statement in function returning non-void "
     "[-Werror=return-type]; a check function returns 0 if all is right"},
    {REDUCTION, "void g(const number *x, number *y) {\n}\n", INPUTS_EXACT,
     "expected.c: has no function void f(const number *x, number *y, int N), with the "
     "parameters of exercise.ini"},
    {REDUCTION, "void f(const number *x, double *y, int N) {\n}\n", INPUTS_EXACT,
     "expected.c: has no function void f(const number *x, number *y, int N), with the "
     "parameters of exercise.ini"},
    {REDUCTION, HEAD "    number sum = 0;\n    for (int i = 0; i >= 0; i = 0) sum = x[i];\n}\n",
     INPUTS_EXACT, "expected.c:3: does not end within 1 s at this size: is there a loop without"},
    {REDUCTION,
     HEAD "    number sum = 0;\n    for (int i = 0; i <= N; ++i)\n        sum += x[i];\n}\n",
     INPUTS_EXACT,
     "expected.c:4: uses x[100], but x has the elements 0 to 99 at this size: correct the index, "
     "or the shape in exercise.ini"},
    {REDUCTION, HEAD "    y[N] = x[0];\n}\n", INPUTS_EXACT, "expected.c:2: uses y[100], but y has"},
    {REDUCTION, HEAD "    y[0] = 1;\n    y[-1] = x[0];\n}\n", INPUTS_EXACT,
     "uses y[-1], but y has"},
    {REDUCTION, HEAD "    y[0] = x[-1] + 1;\n}\n", INPUTS_EXACT,
     "expected.c:2: uses a number that was never set: give the variable a value"},
    {REDUCTION, HEAD "    y[0] += x[0];\n}\n", INPUTS_EXACT,
     "expected.c:2: uses a number that was never set"},
    {REDUCTION, HEAD "    ((number *)x)[3] = 1;\n}\n", INPUTS_EXACT,
     "expected.c:2: writes x[3], but exercise.ini says that x is an input"},
    {SQUARE, HEAD "    y[0] = x[9000] + x[6000] + x[3000];\n    y[0] += x[10000];\n}\n",
     INPUTS_EXACT, "expected.c:3: uses x[10000], but x has the elements 0 to 9999"},
    {SQUARE, HEAD "    y[0] = x[9000] + x[6000] + x[3000];\n    ((number *)x)[1] = 1;\n}\n",
     INPUTS_EXACT, "expected.c:3: writes x[1], but exercise.ini says that x is an input"},
    {REDUCTION, HEAD "    *(volatile int *)16 = 1;\n}\n", INPUTS_EXACT,
     "expected.c:2: accesses memory that belongs to no array"},
    {REDUCTION,
     "int deep(volatile int *above) {\n    volatile int here[4096];\n    here[0] = above[0];\n    "
     "return deep(here) + here[0];\n}\n" HEAD "    volatile int a = 1;\n    y[0] = deep(&a);\n}\n",
     INPUTS_EXACT, "uses up the stack (8 MiB)"},
    {REDUCTION, HEAD "    int zero = N - 100;\n    y[0] = x[N / zero];\n}\n", INPUTS_EXACT,
     "expected.c:3: divides by zero"},
    {REDUCTION,
     HEAD "    number sum = 0;\n    for (int i = 0; i < N; ++i) sum += x[i] * 500001;\n    y[0] = "
          "sum + 70001;\n}\n",
     INPUTS_EXACT,
     "expected.c:3: leaves the range in which whole numbers are exact (2^24), at size 100, even if "
     "all inputs are -1, 0 or 1"},
    {REDUCTION, HEAD "    number a = x[0] / 3;\n    y[0] = a * 3 < x[0] ? 1 : 2;\n}\n", INPUTS_REAL,
     "expected.c:3: rounding decides this comparison at size 100"},
    {REDUCTION, HEAD "    number a = x[0] / 3;\n    y[0] = floor(a * 3 / x[0]);\n}\n", INPUTS_REAL,
     "expected.c:3: rounding decides this comparison at size 100"},
    {REDUCTION, HEAD "    y[0] = log(x[0] - 2);\n}\n", INPUTS_REAL,
     "expected.c: y[0] is not a number (NaN) at size 100"},
    {MAP, HEAD "    for (int i = 0; i < N - 1; ++i) y[i] = x[i];\n}\n", INPUTS_REAL,
     "expected.c: does not set y[99] at size 100"},
    {"N\nx = in float [N]\ncount = out int32 [2]\nN = int",
     "void f(const number *x, int *count, int N) {\n    count[0] = N;\n}\n", INPUTS_EXACT,
     "expected.c: does not set count[1] at size 100"},
};

START_TEST(a_mistake_in_expected_c_is_named_with_its_line_and_a_remedy) {
    struct expected_rig rig;
    struct expected_case made;
    struct error err = {.text = ""};
    enum status status = rig_build(&rig, bad[_i].declaration, "f", bad[_i].text, &err);
    if (!status) {
        rig.program.seconds_max = 1;
        status = rig_case(&rig, bad[_i].kind, (struct size){.at = {100}}, 1, 0, &made, &err);
        expected_program_done(&rig.program);
    }
    ck_assert_int_eq(status, STATUS_BAD_DATA);
    ck_assert_msg(strstr(err.text, bad[_i].says), "%s", err.text);
    ck_assert_msg(strncmp(err.text, "lessons/200_x/expected.c:", 25) == 0, "%s", err.text);
}
END_TEST

// --- Inputs -------------------------------------------------------------------------------------

// How many of a hundred inputs equal the largest, in the case that has most.
static int ties_of(const char *text) {
    struct expected_rig rig;
    struct error err = {.text = ""};
    int most = 0;
    ck_assert_msg(!rig_build(&rig, REDUCTION, "f", text, &err), "%s", err.text);
    for (uint64_t key = 0; key < 8; key++) {
        struct expected_case made;
        const struct size size = {.at = {100}};
        ck_assert_msg(!rig_case(&rig, INPUTS_EXACT, size, key, 0, &made, &err), "%s", err.text);
        const float *x = made.values[0];
        float largest = x[0];
        int ties = 0;
        for (int i = 0; i < 100; i++) {
            ties = x[i] > largest ? 1 : ties + (x[i] == largest);
            largest = x[i] > largest ? x[i] : largest;
        }
        most = ties > most ? ties : most;
        expected_case_done(&made);
    }
    expected_program_done(&rig.program);
    return most;
}

START_TEST(inputs_that_expected_c_compares_are_equal_in_some_cases) {
    const char *largest = HEAD "    number best = x[0];\n    for (int i = 0; i < N; ++i)\n        "
                               "if (x[i] > best) best = x[i];\n    y[0] = best;\n}\n";
    const char *sum = HEAD "    number sum = 0;\n    for (int i = 0; i < N; ++i) sum += x[i];\n    "
                           "y[0] = sum;\n}\n";
    ck_assert_int_ge(ties_of(largest), 5);
    ck_assert_int_le(ties_of(sum), 2);
}
END_TEST

START_TEST(a_range_with_equal_ends_is_one_value_in_every_case) {
    struct expected_rig rig;
    struct expected_case made;
    struct error err = {.text = ""};
    const char *text = "void f(const number *x, number *y, int N) {\n    y[0] += x[0];\n}\n";
    ck_assert_msg(!rig_build(&rig,
                             "N\nx = in float [N]\ny = inout float [1]\nN = int\n"
                             "[inputs] y = 0..0",
                             "f", text, &err),
                  "%s", err.text);
    for (int kind = INPUTS_EXACT; kind <= INPUTS_REAL; kind++) {
        ck_assert_msg(
            !rig_case(&rig, (enum inputs_kind)kind, (struct size){.at = {100}}, 1, 0, &made, &err),
            "%s", err.text);
        ck_assert(((const float *)made.values[0])[0] != 0);
        ck_assert(((const float *)made.values[1])[0] == 0);
        expected_case_done(&made);
    }
    expected_program_done(&rig.program);
}
END_TEST

// --- Wrong outputs ------------------------------------------------------------------------------

#define N 1000

static struct expected_rig rig;  // of the suite
static float x[N], y[N];

static const struct parameter *output_of(const struct expected_case *made) {
    return &made->plan.program->signature->parameter[1];
}

// Judges y after a launch; returns its evidence and cause as one text.
static const char *judge(struct expected_case *made, enum verdict *verdict) {
    static char text[2048];
    const void *after[PARAMETERS_MAX] = {NULL, y};
    struct expected_report report;
    struct error err = {.text = ""};
    ck_assert_msg(expected_check(made, after, &report, &err) == STATUS_OK, "%s", err.text);
    (void)snprintf(text, sizeof text, "%s %s", plain(report.evidence), plain(report.cause));
    *verdict = report.verdict;
    return text;
}

static void right_make(const struct expected_case *made) {
    double bound = 0;
    uint64_t elements = parameter_elements(&rig.signature, output_of(made), made->plan.size);
    memcpy(x, made->values[0], sizeof x);
    for (uint64_t e = 0; e < elements; e++) {
        y[e] = (float)expected_want(made, 1, e, &bound);
    }
}

static const char scan_text[] = "void f(const number *x, number *y, int N) {\n"
                                "    number sum = 0;\n"
                                "    for (int i = 0; i < N; ++i) {\n"
                                "        sum += x[i];\n"
                                "        y[i] = sum;\n"
                                "    }\n"
                                "}\n";

static float at_or_0(int i) {
    return i >= 0 ? y[i] : 0;
}

static void scan_own_blocks(void) {
    for (int i = N - 1; i >= 0; i--) {
        y[i] -= at_or_0(i / 256 * 256 - 1);
    }
}
static void scan_short(void) {
    for (int i = N - 1; i >= 0; i--) {
        y[i] -= at_or_0(i - 512);
    }
}
static void scan_exclusive(void) {
    for (int i = N - 1; i >= 0; i--) {
        y[i] = at_or_0(i - 1);
    }
}
static void scan_last(void) {
    y[N - 1] = 7;
}
static void scan_tail_unwritten(void) {
    expected_poison(ELEMENT_FLOAT, N - 768, y + 768);
}
static void scan_zeros(void) {
    for (int i = 31; i < N; i += 32) {
        y[i] = 0;
    }
}
static void scan_inputs(void) {
    memcpy(y, x, sizeof y);
}
static void scan_nan(void) {
    y[5] = NAN;
}
static void scan_of_old_value(void) {
    expected_poison(ELEMENT_FLOAT, 1, &y[3]);
    y[3] += 1;
}
static void scan_without_one(void) {
    for (int i = 0; i < N; i++) {
        y[i] = y[i] - x[0];
    }
}
static void scan_half(void) {
    for (int i = 0; i < N; i++) {
        y[i] =
            1024 * (float)draw_small_value(11, (uint16_t)draw_small_bits(11, (double)y[i] / 1024));
    }
}
static void scan_small(void) {
    for (int i = 0; i < N; i++) {
        y[i] = (float)(i * 37 % 1999 - 1000);
    }
}
static void scan_twice(void) {
    for (int i = 0; i < N; i++) {
        y[i] = 2 * y[i];
    }
}
static void scan_right(void) {
}

static const struct {
    void (*spoil)(void);
    enum verdict verdict;
    const char *says;
} outputs[] = {
    {scan_right, VERDICT_PASS, " "},
    {scan_own_blocks, VERDICT_WRONG_RESULT,
     "(wrong: y[256] and all after it). Each wrong element holds only the part of its own block of "
     "256 elements: what the blocks before it add is missing."},
    {scan_short, VERDICT_WRONG_RESULT,
     "(wrong: y[512] and all after it). Each wrong element holds the sum of only the last 512 "
     "elements up to it, as after a step that is not the last one."},
    {scan_exclusive, VERDICT_WRONG_RESULT, "(wrong: all of y)"},
    {scan_last, VERDICT_WRONG_RESULT, "(wrong: only the last element). "},
    {scan_tail_unwritten, VERDICT_NOT_WRITTEN,
     "y[768] was never written (not written: y[768] and all after it). "},
    {scan_zeros, VERDICT_WRONG_RESULT,
     "(wrong: the last of each 32 elements). Each wrong element is 0: nothing was added to it, or "
     "only zeros, or its result was stored elsewhere."},
    {scan_inputs, VERDICT_WRONG_RESULT,
     "(wrong: y[1] and all after it). Each wrong y[i] holds x[i] as it is."},
    {scan_nan, VERDICT_WRONG_RESULT, "y[5] is NaN and should be "},
    {scan_of_old_value, VERDICT_WRONG_RESULT, "The old value of y went into the result; y holds"},
    {scan_without_one, VERDICT_WRONG_RESULT, "(wrong: all of y). Every element is too "},
    {scan_half, VERDICT_LOW_PRECISION, "No element has more than 11 significant bits"},
    {scan_small, VERDICT_WRONG_RESULT, "(wrong: all of y)"},
    {scan_twice, VERDICT_WRONG_RESULT,
     "(wrong: all of y). Each wrong element is 2 times as large as it should be"},
};

START_TEST(a_wrong_output_is_described_and_explained) {
    struct expected_case made;
    struct error err = {.text = ""};
    enum verdict verdict = VERDICT_PASS;
    ck_assert_int_eq(rig_build(&rig, MAP, "f", scan_text, &err), STATUS_OK);
    for (size_t i = 0; i < COUNT(outputs); i++) {
        enum status status =
            rig_case(&rig, INPUTS_EXACT, (struct size){.at = {N}}, 3, 0, &made, &err);
        ck_assert_msg(!status, "%s", err.text);
        right_make(&made);
        outputs[i].spoil();
        const char *text = judge(&made, &verdict);
        ck_assert_msg(strstr(text, outputs[i].says), "%zu: %s", i, text);
        ck_assert_msg(verdict == outputs[i].verdict, "%zu: %s", i, text);
        expected_case_done(&made);
    }
    expected_program_done(&rig.program);
}
END_TEST

// A reduction has one element: what is missing is found by calling expected.c again.
static float sum_of(int first, int last) {
    float sum = 0;
    for (int i = first; i < last; i++) {
        sum += x[i];
    }
    return sum;
}

START_TEST(missing_operands_are_found_by_calling_expected_c_again) {
    struct expected_case made;
    struct error err = {.text = ""};
    enum verdict verdict = VERDICT_PASS;
    float lanes = 0;
    ck_assert_int_eq(rig_build(&rig, REDUCTION, "f",
                               HEAD "    y[0] = 0;\n    for (int i = 0; i < N; ++i) y[0] += "
                                    "x[i];\n}\n",
                               &err),
                     STATUS_OK);
    ck_assert_int_eq(rig_case(&rig, INPUTS_EXACT, (struct size){.at = {N}}, 3, 0, &made, &err),
                     STATUS_OK);
    memcpy(x, made.values[0], sizeof x);
    for (int i = 0; i < N; i++) {
        lanes += i % 256 < 32 ? x[i] : 0;
    }
    const struct {
        float sum;
        const char *says;
    } seen[] = {
        {sum_of(0, N - 1), "The result is what you get from the first 999 of 1000 elements (N)"},
        {sum_of(0, 768), "The result is what you get from the first 768 of 1000 elements (N)"},
        {sum_of(0, 512), "The result is what you get from the first 512 of 1000 elements (N)"},
        {sum_of(1, N), "x[0] is missing."},
        {sum_of(0, N) + x[N - 1], "x[999] is counted twice."},
        {lanes, "The result is what you get from only the first 32 of each 256 elements of x:"},
        {sum_of(0, N) + 2, "(wrong: its only element). "},
    };
    for (size_t i = 0; i < COUNT(seen); i++) {
        y[0] = seen[i].sum;
        const char *text = judge(&made, &verdict);
        ck_assert_msg(strstr(text, seen[i].says), "%zu: %s", i, text);
        ck_assert_int_eq(verdict, VERDICT_WRONG_RESULT);
    }
    expected_case_done(&made);
    expected_program_done(&rig.program);
}
END_TEST

// --- Arrays that are input and output ------------------------------------------------------------

START_TEST(elements_that_expected_c_leaves_alone_stay_as_they_were) {
    struct expected_case made;
    struct expected_report report;
    struct error err = {.text = ""};
    ck_assert_int_eq(rig_build(&rig, "N\nx = inout float [N]\nN = int", "f",
                               "void f(number *x, int N) {\n    x[0] = x[1] + x[2];\n}\n", &err),
                     STATUS_OK);
    ck_assert_int_eq(rig_case(&rig, INPUTS_REAL, (struct size){.at = {N}}, 3, 0, &made, &err),
                     STATUS_OK);
    memcpy(x, made.values[0], sizeof x);
    const void *after[PARAMETERS_MAX] = {x};
    x[0] = x[1] + x[2];
    ck_assert_int_eq(expected_check(&made, after, &report, &err), STATUS_OK);
    ck_assert_int_eq(report.verdict, VERDICT_PASS);
    x[N - 1] = 0;
    ck_assert_int_eq(expected_check(&made, after, &report, &err), STATUS_OK);
    ck_assert_int_eq(report.verdict, VERDICT_WRONG_RESULT);
    expected_case_done(&made);
    expected_program_done(&rig.program);
}
END_TEST

// --- Results of which several are right ----------------------------------------------------------

// The places of the elements that are not 0, in any order; -1 ends them.
static const char check_text[] =
    "int check_places(const float *x, const int *places, const int *was, const int *is, int N) {\n"
    "    int count = 0;\n"
    "    for (int i = 0; i < N; ++i) count += x[i] > 0;\n"
    "    for (int k = 0; k < count; ++k)\n"
    "        if (!(x[places[k]] > 0)) return say(\"x[%d] is 0.\", places[k] / N), k + 1;\n"
    "    return is[0] == was[0] + count ? 0 : -1;\n"
    "}\n";

START_TEST(a_check_function_judges_outputs_of_which_several_are_right) {
    static int places[N];
    enum { POSITIVE = -1, NOT_POSITIVE = -2 };
    static const struct {
        int first, count;  // the first place, and what is added to the counter too much
        enum verdict verdict;
        const char *says;
    } seen[] = {
        {POSITIVE, 0, VERDICT_PASS, ""},
        {NOT_POSITIVE, 0, VERDICT_WRONG_RESULT, "which is not a right result: x[0] is 0."},
        {POSITIVE, 1, VERDICT_WRONG_RESULT,
         "places is not a right result: the check of the exercise"},
        {10 * N, 0, VERDICT_WRONG_RESULT,
         "The check of the result fails with these values: lessons/200_x/expected.c:5: uses x["},
    };
    struct expected_case made;
    struct expected_report report;
    struct error err = {.text = ""};
    int count = 0;
    int positive = 0;
    int other = 0;
    enum status status = rig_build(&rig,
                                   "N\nx = in float [N]\nplaces = out int32 [N]\n"
                                   "found = inout int32 [1]\nN = int",
                                   "places", check_text, &err);
    ck_assert_msg(!status, "%s", err.text);
    ck_assert_int_eq(rig_case(&rig, INPUTS_EXACT, (struct size){.at = {N}}, 3, 0, &made, &err),
                     STATUS_OK);
    for (int i = N - 1; i >= 0; i--) {
        if (((const float *)made.values[0])[i] > 0) {
            places[count++] = positive = i;
        } else {
            other = i;
        }
    }
    for (size_t i = 0; i < COUNT(seen); i++) {
        int found = *(const int *)made.values[2] + count + seen[i].count;
        const void *after[PARAMETERS_MAX] = {NULL, places, &found};
        places[0] = seen[i].first == POSITIVE       ? positive
                    : seen[i].first == NOT_POSITIVE ? other
                                                    : seen[i].first;
        ck_assert_int_eq(expected_check(&made, after, &report, &err), STATUS_OK);
        ck_assert_int_eq(report.verdict, seen[i].verdict);
        ck_assert_msg(strstr(plain(report.evidence), seen[i].says), "%s", plain(report.evidence));
    }
    const void *after[PARAMETERS_MAX] = {NULL, made.values[1], made.values[2]};
    ck_assert_int_eq(expected_check(&made, after, &report, &err), STATUS_OK);
    ck_assert_int_eq(report.verdict, VERDICT_NOT_WRITTEN);
    expected_case_done(&made);
    expected_program_done(&rig.program);
}
END_TEST

// --- Samples ------------------------------------------------------------------------------------

START_TEST(a_sample_of_a_large_output_is_computed_and_compared) {
    enum { MANY = 1 << 22 };
    struct expected_case made;
    struct expected_report report;
    struct error err = {.text = ""};
    const struct size size = {.at = {MANY}};
    ck_assert_int_eq(rig_build(&rig, MAP, "f", HEAD "    EACH(i, N) y[i] = 3 * x[i];\n}\n", &err),
                     STATUS_OK);
    ck_assert_int_eq(rig_case(&rig, INPUTS_REAL, size, 5, 1024, &made, &err), STATUS_OK);
    float *all = malloc(MANY * sizeof *all);
    ck_assert_ptr_nonnull(all);
    for (int i = 0; i < MANY; i++) {
        all[i] = 3 * ((const float *)made.values[0])[i];
    }
    const void *after[PARAMETERS_MAX] = {NULL, all};
    ck_assert_int_eq(expected_check(&made, after, &report, &err), STATUS_OK);
    ck_assert_int_eq(report.verdict, VERDICT_PASS);
    ck_assert_uint_eq(report.compared, 1024);
    memset(all + MANY / 2, 0, MANY / 100 * sizeof *all);  // one part in a hundred
    all[MANY - 1] = 0;                                    // and the last is always looked at
    ck_assert_int_eq(expected_check(&made, after, &report, &err), STATUS_OK);
    ck_assert_int_eq(report.verdict, VERDICT_WRONG_RESULT);
    ck_assert_msg(strstr(plain(report.evidence), "of 1024 sampled elements)"), "%s",
                  plain(report.evidence));
    free(all);
    expected_case_done(&made);
    expected_program_done(&rig.program);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("expected");
    TCase *test_case = tcase_create("expected.c");
    tcase_set_timeout(test_case, 120);
    tcase_add_loop_test(test_case, a_mistake_in_expected_c_is_named_with_its_line_and_a_remedy, 0,
                        (int)COUNT(bad));
    tcase_add_test(test_case, inputs_that_expected_c_compares_are_equal_in_some_cases);
    tcase_add_test(test_case, a_range_with_equal_ends_is_one_value_in_every_case);
    tcase_add_test(test_case, a_wrong_output_is_described_and_explained);
    tcase_add_test(test_case, missing_operands_are_found_by_calling_expected_c_again);
    tcase_add_test(test_case, elements_that_expected_c_leaves_alone_stay_as_they_were);
    tcase_add_test(test_case, a_check_function_judges_outputs_of_which_several_are_right);
    tcase_add_test(test_case, a_sample_of_a_large_output_is_computed_and_compared);
    suite_add_tcase(suite, test_case);
    return suite;
}

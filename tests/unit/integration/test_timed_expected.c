// What the outputs of timed launches of a kernel that is not a matmul are held to: the reference's,
// element by element, and expected.c.
#include "judge/speed/timed_expected.h"

#include "base/pool.h"
#include "judge/expected/expected_program.h"
#include "judge/oracle/expected_check.h"

#include <check.h>

#include "expected_rig.h"
#include "scratch.h"
#include "suite.h"  // last: Check has a macro called fail

#define SUM                                                                                        \
    "void f(const number *x, number *y, int N) { number sum = 0; for (int i = 0; i < N; ++i) { "   \
    "sum += x[i]; } y[0] = sum; }"
#define HALVES "void f(const number *x, number *y, int N) { EACH(i, N) { y[i] = x[i] / 3; } }"
#define DECAY                                                                                      \
    "void f(const number *x, number *y, int N) { EACH(i, N) { y[i] = exp(x[i] - x[N - 1]); } }"
#define COLUMNS                                                                                    \
    "void f(const number *x, number *y, int N) { EACH(i, N * N) { number sum = 0; for (int k = 0;" \
    " k < N; ++k) { sum += x[k * N + i % N]; } y[i] = sum; } }"
#define CHECKED                                                                                    \
    "int check_f(const float *x, const float *y, int N) { for (int i = 0; i < N; ++i) { if (y[i] " \
    "!= x[i] && y[i] != -x[i]) return i + 1; } return 0; }"

static struct expected_rig rig;
static struct expected_store store;
static struct scratch scratch;
static struct exercise exercise;
static struct timed_expected *expected;
static struct pool *readers;
static struct error err;
static struct run_outcome student_outcome, reference_outcome;
static float *x, *reference, *student;

static const struct random_key inputs_key = {{7, 8}};

static void open_one(const char *declaration, const char *text, int n) {
    char path[PATH_BYTES_MAX];
    rig_machine(&rig);
    rig_declare(&rig, declaration);
    rig.machine.expected = &store;
    scratch = scratch_make();
    scratch_write(&scratch, "lessons/200_f/expected.c", text, path);
    exercise = (struct exercise){.name = "f",
                                 .root = scratch.folder,
                                 .lesson = "lessons/200_f",
                                 .signature = rig.signature,
                                 .case_count = 1,
                                 .cases = {{.size = {.at = {100}}}}};
    ck_assert_int_eq(pool_open(2, 0, &readers, &err), STATUS_OK);
    const struct judge_options options = {.machine = rig.machine};
    ck_assert_msg(
        !timed_expected_new(&options, &exercise, (struct size){.at = {n}}, &expected, &err), "%s",
        err.words);
    x = malloc((size_t)n * sizeof *x);
    reference = calloc((size_t)n, sizeof *reference);
    student = calloc((size_t)n, sizeof *student);
}

static void done(void) {
    free(x);
    free(reference);
    free(student);
    timed_expected_free(expected);
    pool_close(readers);
    expected_store_done(&store);
    store = (struct expected_store){.count = 0};
    scratch_remove(&scratch);
}

// x as a GPU makes it.
static void draw_x(enum timed_inputs inputs) {
    const struct draw_spec *spec = &timed_expected_draw(expected, inputs)[0];
    draw_elements(spec, inputs_key, 0, spec->elements, x);
}

static enum status judge(enum timed_inputs inputs) {
    const struct timed_outputs outputs = {.inputs = inputs,
                                          .key = inputs_key,
                                          .student = (const char *)student,
                                          .reference = (const char *)reference};
    return timed_expected_check(expected, readers, &outputs, &student_outcome, &reference_outcome,
                                &err);
}

static void expect(enum timed_inputs inputs, enum verdict of_student, enum verdict of_reference) {
    ck_assert_msg(judge(inputs) == STATUS_OK, "%s", err.words);
    ck_assert_int_eq(student_outcome.verdict, of_student);
    ck_assert_int_eq(reference_outcome.verdict, of_reference);
}

// More terms than numbers are quick for, and than are exact if none is 0.
START_TEST(a_long_sum_is_exact_and_judged_by_plain_values) {
    const int n = 17000000;
    double sum = 0;
    int zeros = 0;
    open_one("N\nx = in float [N]\ny = out float [1]\nN = int", SUM, n);
    draw_x(TIMED_EXACT);
    for (int i = 0; i < n; i++) {
        sum += (double)x[i];
        zeros += x[i] == 0;
    }
    ck_assert_int_gt(zeros, n / 10);
    reference[0] = student[0] = (float)sum;
    expect(TIMED_EXACT, VERDICT_PASS, VERDICT_PASS);
    // Of the same sum of real numbers nothing is known.
    student[0] = 1e9f;
    expect(TIMED_REAL, VERDICT_PASS, VERDICT_PASS);
    done();
}
END_TEST

START_TEST(one_missing_term_of_a_long_sum_is_wrong) {
    const int n = 2200000;
    double sum = 0;
    int last = n - 1;
    open_one("N\nx = in float [N]\ny = out float [1]\nN = int", SUM, n);
    draw_x(TIMED_EXACT);
    for (int i = 0; i < n; i++) {
        sum += (double)x[i];
        last = x[i] != 0 ? i : last;
    }
    reference[0] = (float)sum;
    student[0] = (float)sum - x[last];
    expect(TIMED_EXACT, VERDICT_WRONG_RESULT, VERDICT_PASS);
    done();
}
END_TEST

START_TEST(a_reference_that_is_wrong_is_seen) {
    open_one("N\nx = in float [N]\ny = out float [1]\nN = int", SUM, 1000);
    draw_x(TIMED_EXACT);
    reference[0] = student[0] = 0.5f;
    expect(TIMED_EXACT, VERDICT_PASS, VERDICT_WRONG_RESULT);
    done();
}
END_TEST

// y is rounded: two right kernels differ by a few units in the last place, wrong ones by more.
START_TEST(an_element_that_was_not_sampled_is_compared_with_the_reference) {
    const int n = 300000;
    open_one("N\nx = in float [N]\ny = out float [N]\nN = int", HALVES, n);
    for (int kind = 0; kind < TIMED_INPUTS_COUNT; kind++) {
        draw_x((enum timed_inputs)kind);
        for (int i = 0; i < n; i++) {
            reference[i] = x[i] / 3.0f;
            student[i] = x[i] * (1.0f / 3.0f);
        }
        expect((enum timed_inputs)kind, VERDICT_PASS, VERDICT_PASS);
        for (int i = 1; i < 6; i++) {  // a sample of 1024 has hardly any of these
            student[1 + i * 50000] += kind == TIMED_EXACT ? 0.5f : 0.001f;
        }
        expect((enum timed_inputs)kind, VERDICT_WRONG_RESULT, VERDICT_PASS);
    }
    student[n / 2] = student[n - 1];
    expected_poison(ELEMENT_FLOAT, 1, &student[0]);
    expect(TIMED_REAL, VERDICT_NOT_WRITTEN, VERDICT_PASS);
    done();
}
END_TEST

// Exact inputs of exp are two values far apart, which a kernel's instructions may not be made for.
START_TEST(launches_of_a_function_with_exp_have_real_inputs_alone) {
    open_one("N\nx = in float [N]\ny = out float [N]\nN = int", DECAY, 5000);
    ck_assert(timed_expected_is_real_only(expected));
    done();
    open_one("N\nx = in float [N]\ny = out float [N]\nN = int", HALVES, 5000);
    ck_assert(!timed_expected_is_real_only(expected));
    done();
}
END_TEST

// Columns drawn anywhere: each sample reads a chunk in every row.
START_TEST(an_input_that_is_read_by_columns_takes_seconds) {
    const int n = 3400;
    struct expected_case made;
    struct expected_report report;
    float *sums = calloc((size_t)(n * n), sizeof *sums);
    ck_assert_msg(!rig_build(&rig, "N\nx = in float [N][N]\ny = out float [N][N]\nN = int", "f",
                             COLUMNS, &err),
                  "%s", err.text);
    rig.program.seconds_max = 6;
    ck_assert_msg(!rig_case(&rig, INPUTS_EXACT, (struct size){.at = {n}}, 5, 1024, &made, &err),
                  "%s", err.text);
    for (int i = 0; i < n * n; i++) {
        sums[i % n] += ((const float *)made.values[0])[i];
    }
    for (int i = n; i < n * n; i++) {
        sums[i] = sums[i - n];
    }
    const void *after[PARAMETERS_MAX] = {NULL, sums};
    ck_assert_int_eq(expected_check(&made, after, &report, &err), STATUS_OK);
    ck_assert_int_eq(report.verdict, VERDICT_PASS);
    ck_assert_uint_eq(report.compared, 1024);
    sums[n * n - 1] += 1;
    ck_assert_int_eq(expected_check(&made, after, &report, &err), STATUS_OK);
    ck_assert_int_eq(report.verdict, VERDICT_WRONG_RESULT);
    expected_case_done(&made);
    expected_program_done(&rig.program);
    free(sums);
}
END_TEST

// Several results are right: a difference says nothing, the check decides.
START_TEST(a_check_function_judges_a_kernel_that_differs_from_the_reference) {
    const int n = 5000;
    open_one("N\nx = in float [N]\ny = out float [N]\nN = int", CHECKED, n);
    draw_x(TIMED_EXACT);
    for (int i = 0; i < n; i++) {
        reference[i] = x[i];
        student[i] = i % 2 ? -x[i] : x[i];
    }
    expect(TIMED_EXACT, VERDICT_PASS, VERDICT_PASS);
    student[4321] = 0.25f;
    expect(TIMED_EXACT, VERDICT_WRONG_RESULT, VERDICT_PASS);
    done();
}
END_TEST

SUITE() {
    Suite *suite = suite_create("timed_expected");
    TCase *test_case = tcase_create("timed outputs");
    tcase_set_timeout(test_case, 120);
    tcase_add_test(test_case, a_long_sum_is_exact_and_judged_by_plain_values);
    tcase_add_test(test_case, one_missing_term_of_a_long_sum_is_wrong);
    tcase_add_test(test_case, a_reference_that_is_wrong_is_seen);
    tcase_add_test(test_case, an_element_that_was_not_sampled_is_compared_with_the_reference);
    tcase_add_test(test_case, launches_of_a_function_with_exp_have_real_inputs_alone);
    tcase_add_test(test_case, an_input_that_is_read_by_columns_takes_seconds);
    tcase_add_test(test_case, a_check_function_judges_a_kernel_that_differs_from_the_reference);
    suite_add_tcase(suite, test_case);
    return suite;
}

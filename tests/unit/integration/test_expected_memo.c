// A case that is made again has the results of the first time, and inputs are the same whether some
// outputs or all of them told that wider ones are too wide.
#include "suite.h"

#include "base/basics.h"
#include "expected_rig.h"
#include "judge/expected/expected_case.h"
#include "judge/oracle/expected_check.h"

#define SIZE  1000
#define SUMS  "N\na = in float [N]\nb = in float [N]\ny = out float [N]\nN = int"
#define HEAD  "void f(const number *a, const number *b, number *y, int N) {\n"
#define SUM   "number sum = 0; for (int k = 0; k < N; ++k) sum += a[k] * b[k]; y[i] = sum;"
#define ENDED "\n}\n"
#define MANY  (1 << 20)  // results of more than is kept
#define CASES 256        // that are kept

static struct expected_rig rig;

static struct expected_case case_of(enum inputs_kind kind, int size, uint64_t key,
                                    uint32_t samples) {
    struct expected_case made;
    struct error err = {.text = ""};
    ck_assert_msg(!rig_case(&rig, kind, (struct size){.at = {size}}, key, samples, &made, &err),
                  "%s", err.text);
    return made;
}

static void build(const char *text) {
    struct error err = {.text = ""};
    ck_assert_msg(!rig_build(&rig, SUMS, "f", text, &err), "%s", err.text);
}

// --- The widest inputs --------------------------------------------------------------------------

static const char *const too_wide[] = {
    HEAD "EACH(i, N) { " SUM " }" ENDED,                               // some outputs tell
    HEAD "EACH(i, N) { y[i] = a[i]; if (i == 5) { " SUM " } }" ENDED,  // no output of these few
    HEAD "for (int i = 0; i < N; ++i) { " SUM " }" ENDED,              // they are all there are
};

START_TEST(inputs_are_as_wide_whichever_outputs_tell_that_wider_is_too_wide) {
    struct expected_case first = {.results = {.fd = -1}, .plain = {.fd = -1}};
    for (size_t i = 0; i < COUNT(too_wide); i++) {
        build(too_wide[i]);
        struct expected_case made = case_of(INPUTS_EXACT, SIZE, 7, 0);
        ck_assert_int_ge(made.wide, 0);
        ck_assert_uint_eq(made.results.notes[NOTE_OVERFLOWS], 0);
        if (i == 0) {
            first = made;
        } else {
            ck_assert_mem_eq(made.values[0], first.values[0], SIZE * sizeof(float));
            ck_assert_mem_eq(made.values[1], first.values[1], SIZE * sizeof(float));
            expected_case_done(&made);
        }
        expected_program_done(&rig.program);
    }
    expected_case_done(&first);
}
END_TEST

START_TEST(inputs_that_fit_stay_wide_in_all_arrays) {
    build(HEAD "EACH(i, N) y[i] = a[i] + b[i];" ENDED);
    struct expected_case made = case_of(INPUTS_EXACT, SIZE, 7, 0);
    ck_assert_int_lt(made.wide, 0);
    expected_case_done(&made);
    expected_program_done(&rig.program);
}
END_TEST

// --- The memo -----------------------------------------------------------------------------------

static bool is_kept(enum inputs_kind kind, int size, uint64_t key, uint32_t samples) {
    struct expected_case made = {.plan = {.program = &rig.program,
                                          .kind = kind,
                                          .key = {{key, key * 3 + 1}},
                                          .size = {.at = {size}},
                                          .samples = samples},
                                 .results = {.fd = -1},
                                 .plain = {.fd = -1}};
    bool found = expected_memo_find(rig.program.memo, &made);
    expected_case_done(&made);
    return found;
}

START_TEST(a_case_that_is_made_again_is_the_same) {
    build(too_wide[0]);
    struct expected_case first = case_of(INPUTS_EXACT, SIZE, 1, 0);
    ck_assert(is_kept(INPUTS_EXACT, SIZE, 1, 0));
    ck_assert(!is_kept(INPUTS_REAL, SIZE, 1, 0));
    ck_assert(!is_kept(INPUTS_EXACT, SIZE - 1, 1, 0));
    ck_assert(!is_kept(INPUTS_EXACT, SIZE, 2, 0));
    ck_assert(!is_kept(INPUTS_EXACT, SIZE, 1, 16));
    struct expected_case again = case_of(INPUTS_EXACT, SIZE, 1, 0);
    ck_assert_int_eq(again.form, first.form);
    ck_assert_int_eq(again.wide, first.wide);
    ck_assert_mem_eq(&again.width, &first.width, sizeof first.width);
    ck_assert_mem_eq(again.values[0], first.values[0], SIZE * sizeof(float));
    ck_assert_mem_eq(again.values[1], first.values[1], SIZE * sizeof(float));
    const size_t bytes = SIZE * sizeof(struct expected_result);
    ck_assert_mem_eq(expected_numbers(&again.results, 2), expected_numbers(&first.results, 2),
                     bytes);
    expected_case_done(&first);
    expected_program_done(&rig.program);
    ck_assert(expected_numbers(&again.results, 2)[0].bound != 0);  // they are its own
    expected_case_done(&again);
}
END_TEST

START_TEST(the_case_used_longest_ago_is_forgotten) {
    build(HEAD "EACH(i, N) y[i] = a[i] + b[i];" ENDED);
    for (uint64_t key = 0; key <= CASES; key++) {
        struct expected_case made = case_of(INPUTS_REAL, 3, key, 0);
        expected_case_done(&made);
        ck_assert(is_kept(INPUTS_REAL, 3, 0, 0));  // it is used again and again
    }
    ck_assert(!is_kept(INPUTS_REAL, 3, 1, 0));
    ck_assert(is_kept(INPUTS_REAL, 3, 2, 0));
    ck_assert(is_kept(INPUTS_REAL, 3, CASES, 0));
    expected_program_done(&rig.program);
}
END_TEST

START_TEST(large_results_are_not_kept) {
    build(HEAD "EACH(i, N) y[i] = a[i] + b[i];" ENDED);
    struct expected_case made = case_of(INPUTS_REAL, MANY, 1, 0);
    expected_case_done(&made);
    ck_assert(!is_kept(INPUTS_REAL, MANY, 1, 0));
    for (uint64_t key = 0; key < 8; key++) {  // more of them than there is room for
        made = case_of(INPUTS_REAL, MANY / 4, key, 0);
        expected_case_done(&made);
        ck_assert(is_kept(INPUTS_REAL, MANY / 4, key, 0));
    }
    ck_assert(!is_kept(INPUTS_REAL, MANY / 4, 0, 0));
    expected_program_done(&rig.program);
}
END_TEST

// --- Ranges -------------------------------------------------------------------------------------

START_TEST(values_stay_below_0_in_a_range_below_0_and_real_cases_take_ranges_in_turn) {
    struct error err = {.text = ""};
    ck_assert_msg(
        !rig_build(&rig,
                   "N\na = in float [N]\ny = out float [N]\nN = int\n"
                   "[inputs] a = -9..-5, 2..3, -1..1",
                   "f", "void f(const number *a, number *y, int N) { EACH(i, N) y[i] = a[i] + 1; }",
                   &err),
        "%s", err.text);
    const double low[] = {-9, 2, -1};
    const double high[] = {-5, 3, 1};
    struct expected_case made = case_of(INPUTS_EXACT, SIZE, 3, 0);
    for (int i = 0; i < SIZE; i++) {
        ck_assert_float_lt(((const float *)made.values[0])[i], 0);
    }
    expected_case_done(&made);
    for (uint32_t turn = 0; turn < 6; turn++) {
        const struct expected_plan plan = {.program = &rig.program,
                                           .kind = INPUTS_REAL,
                                           .key = {{3, 4}},
                                           .size = {.at = {SIZE}},
                                           .range = turn};
        ck_assert(!expected_case_make(&plan, &made, &err));
        for (int i = 0; i < SIZE; i++) {
            double value = (double)((const float *)made.values[0])[i];
            ck_assert(value >= low[turn % 3] && value <= high[turn % 3]);
        }
        expected_case_done(&made);
    }
    expected_program_done(&rig.program);
}
END_TEST

// --- Plain values -------------------------------------------------------------------------------

#define LARGE 5000  // elements, all inputs and outputs together more than plain values need

static enum verdict judged(struct expected_case *made, const float *y, uint64_t *ret_compared) {
    const void *after[PARAMETERS_MAX] = {NULL, NULL, y};
    struct expected_report report;
    struct error err = {.text = ""};
    ck_assert_msg(!expected_check(made, after, &report, &err), "%s", err.text);
    *ret_compared = report.compared;
    return report.verdict;
}

static void sums_make(const struct expected_case *made, int n, float *y) {
    for (int i = 0; i < n; i++) {
        y[i] = ((const float *)made->values[0])[i] + ((const float *)made->values[1])[i];
    }
}

START_TEST(numbers_of_a_large_case_are_computed_for_a_kernel_with_other_bits) {
    static float y[LARGE];
    uint64_t compared = 0;
    build(HEAD "EACH(i, N) y[i] = a[i] + b[i];" ENDED);
    for (int again = 0; again < 2; again++) {  // the second time from the memo
        struct expected_case made = case_of(INPUTS_EXACT, LARGE, 7, 0);
        ck_assert(made.is_begun);
        sums_make(&made, LARGE, y);
        ck_assert_int_eq(judged(&made, y, &compared), VERDICT_PASS);
        ck_assert_uint_eq(compared, LARGE);
        ck_assert(made.is_begun);
        y[LARGE / 2] += 1;
        ck_assert_int_eq(judged(&made, y, &compared), VERDICT_WRONG_RESULT);
        ck_assert(!made.is_begun);
        sums_make(&made, LARGE, y);
        y[3] = NAN;
        ck_assert_int_eq(judged(&made, y, &compared), VERDICT_WRONG_RESULT);
        expected_case_done(&made);
    }
    expected_program_done(&rig.program);
}
END_TEST

// The width is chosen by few outputs, so some may leave the exact range: their bound decides.
START_TEST(an_output_outside_of_the_exact_range_is_held_to_its_bound) {
    static float y[LARGE];
    uint64_t compared = 0;
    build(HEAD "EACH(i, N) { y[i] = a[i]; if (i == 5) { " SUM " } }" ENDED);
    struct expected_case made = case_of(INPUTS_EXACT, LARGE, 7, 0);
    ck_assert(made.is_begun);
    float forwards = 0;
    float backwards = 0;
    for (int i = 0; i < LARGE; i++) {
        const float *a = made.values[0];
        const float *b = made.values[1];
        y[i] = a[i];
        forwards += a[i] * b[i];
        backwards += a[LARGE - 1 - i] * b[LARGE - 1 - i];
    }
    y[5] = forwards;
    ck_assert_int_eq(judged(&made, y, &compared), VERDICT_PASS);
    ck_assert_float_ne(backwards, forwards);
    y[5] = backwards;
    ck_assert_int_eq(judged(&made, y, &compared), VERDICT_PASS);
    y[6] = -y[6];
    ck_assert_int_eq(judged(&made, y, &compared), VERDICT_WRONG_RESULT);
    expected_case_done(&made);
    expected_program_done(&rig.program);
}
END_TEST

// Which comparisons rounding decides, numbers alone can tell.
START_TEST(a_function_that_compares_sums_has_numbers) {
    build(HEAD "EACH(i, N) y[i] = a[i] + b[i] > 0 ? a[i] : b[i];" ENDED);
    struct expected_case made = case_of(INPUTS_EXACT, LARGE, 7, 0);
    ck_assert(!made.is_begun);
    expected_case_done(&made);
    expected_program_done(&rig.program);
}
END_TEST

// "a sum of many inputs" is known from a smaller case.
START_TEST(inputs_of_a_long_sum_are_chosen_by_their_number) {
    uint64_t compared = 0;
    const int many = 1 << 17;
    build(HEAD
          "number sum = 0; for (int i = 0; i < N; ++i) { sum += a[i] + b[i]; y[i] = sum; }" ENDED);
    struct expected_case made = case_of(INPUTS_EXACT, SIZE, 7, 0);
    expected_case_done(&made);
    made = case_of(INPUTS_EXACT, many, 7, 0);
    ck_assert(!made.is_begun);
    ck_assert_uint_eq(made.results.notes[NOTE_OVERFLOWS], 0);
    ck_assert(made.width.wide > 0 && made.width.some == 1);
    expected_case_done(&made);
    made = case_of(INPUTS_EXACT, 8 * many, 7, 0);  // more than numbers are computed for
    ck_assert(made.is_begun);
    ck_assert_int_lt(made.results.fd, 0);
    float *sums = calloc((size_t)(8 * many), sizeof *sums);
    double sum = 0;
    for (int i = 0; i < 8 * many; i++) {
        sum += ((const float *)made.values[0])[i] + ((const float *)made.values[1])[i];
        sums[i] = (float)sum;
    }
    ck_assert_int_eq(judged(&made, sums, &compared), VERDICT_PASS);
    ck_assert(made.is_begun);
    sums[many] += 2;
    ck_assert_int_eq(judged(&made, sums, &compared), VERDICT_WRONG_RESULT);
    free(sums);
    expected_case_done(&made);
    expected_program_done(&rig.program);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("expected_memo");
    TCase *test_case = tcase_create("memo");
    tcase_set_timeout(test_case, 120);
    tcase_add_test(test_case, inputs_are_as_wide_whichever_outputs_tell_that_wider_is_too_wide);
    tcase_add_test(test_case, inputs_that_fit_stay_wide_in_all_arrays);
    tcase_add_test(test_case, a_case_that_is_made_again_is_the_same);
    tcase_add_test(test_case, the_case_used_longest_ago_is_forgotten);
    tcase_add_test(test_case, large_results_are_not_kept);
    tcase_add_test(test_case,
                   values_stay_below_0_in_a_range_below_0_and_real_cases_take_ranges_in_turn);
    tcase_add_test(test_case, numbers_of_a_large_case_are_computed_for_a_kernel_with_other_bits);
    tcase_add_test(test_case, an_output_outside_of_the_exact_range_is_held_to_its_bound);
    tcase_add_test(test_case, a_function_that_compares_sums_has_numbers);
    tcase_add_test(test_case, inputs_of_a_long_sum_are_chosen_by_their_number);
    suite_add_tcase(suite, test_case);
    return suite;
}

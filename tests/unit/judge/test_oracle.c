// The oracle: honest kernels pass in any order of summation, everything else gets its verdict.
#include <math.h>
#include <string.h>

#include "judge/oracle/matmul_oracle.h"
#include "roundings.h"
#include "suite.h"

// --- Honest sums --------------------------------------------------------------------------------

static float sum_forward(const struct matrices *x, int32_t i, int32_t j) {
    return terms_sum(x, i, j, 0, x->size.k);
}

static float sum_backward(const struct matrices *x, int32_t i, int32_t j) {
    float sum = 0.0f;
    for (int32_t k = x->size.k; k-- > 0;) {
        sum += a_at(x, i, k) * b_at(x, k, j);
    }
    return sum;
}

static float pairwise(const struct matrices *x, int32_t i, int32_t j, int32_t first, int32_t end) {
    if (end - first == 1) {
        return a_at(x, i, first) * b_at(x, first, j);
    }
    int32_t middle = first + (end - first) / 2;
    return pairwise(x, i, j, first, middle) + pairwise(x, i, j, middle, end);
}

static float sum_pairwise(const struct matrices *x, int32_t i, int32_t j) {
    return pairwise(x, i, j, 0, x->size.k);
}

static float sum_split(const struct matrices *x, int32_t i, int32_t j) {
    float part[8] = {0};
    for (int32_t k = 0; k < x->size.k; k++) {
        part[k % 8] += a_at(x, i, k) * b_at(x, k, j);
    }
    return ((part[0] + part[4]) + (part[1] + part[5])) +
           ((part[2] + part[6]) + (part[3] + part[7]));
}

static float sum_kahan(const struct matrices *x, int32_t i, int32_t j) {
    volatile float sum = 0.0f;
    volatile float lost = 0.0f;
    for (int32_t k = 0; k < x->size.k; k++) {
        volatile float term = a_at(x, i, k) * b_at(x, k, j) - lost;
        volatile float next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    return sum;
}

static float sum_fma(const struct matrices *x, int32_t i, int32_t j) {
    float sum = 0.0f;
    for (int32_t k = 0; k < x->size.k; k++) {
        sum = fmaf(a_at(x, i, k), b_at(x, k, j), sum);
    }
    return sum;
}

static float sum_double(const struct matrices *x, int32_t i, int32_t j) {
    double sum = 0;
    for (int32_t k = 0; k < x->size.k; k++) {
        sum += (double)a_at(x, i, k) * (double)b_at(x, k, j);
    }
    return (float)sum;
}

static const sum_function honest[] = {sum_forward, sum_backward, sum_pairwise, sum_split,
                                      sum_kahan,   sum_fma,      sum_double};
#define HONEST_COUNT ((int)(sizeof honest / sizeof honest[0]))

static const int32_t honest_terms[] = {1,   2,   3,    5,    15,   16,   17,   31,   50,
                                       127, 257, 1024, 4095, 4097, 4500, 8192, 16384};
#define TERMS_COUNT ((int)(sizeof honest_terms / sizeof honest_terms[0]))

START_TEST(honest_sums_of_exact_inputs_pass) {
    for (int t = 0; t < TERMS_COUNT; t++) {
        struct matrices x = matrices_new(INPUTS_EXACT, 7, 9, honest_terms[t]);
        fill_c(&x, honest[_i]);
        struct oracle_report report = check(&x);
        ck_assert_msg(report.verdict == VERDICT_PASS, "K = %d: %s", honest_terms[t],
                      report.evidence);
        ck_assert_str_eq(plain(report.evidence), "");
        matrices_free(&x);
    }
}
END_TEST

START_TEST(honest_sums_of_real_inputs_pass) {
    for (int t = 0; t < TERMS_COUNT; t++) {
        struct matrices x = matrices_new(INPUTS_REAL, 17, 19, honest_terms[t]);
        fill_c(&x, honest[_i]);
        struct oracle_report report = check(&x);
        ck_assert_msg(report.verdict == VERDICT_PASS, "K = %d: %s", honest_terms[t],
                      report.evidence);
        matrices_free(&x);
    }
}
END_TEST

START_TEST(minus_zero_is_zero) {
    struct matrices x = matrices_new(INPUTS_EXACT, 1, 1, 2);
    x.a[0] = 1.0f;
    x.a[1] = -1.0f;
    x.b[0] = 2049.0f;
    x.b[1] = 2049.0f;
    x.c[0] = -0.0f;
    ck_assert_int_eq(check(&x).verdict, VERDICT_PASS);
    matrices_free(&x);
}
END_TEST

// --- Low precision ------------------------------------------------------------------------------

static float sum_in_bf16(const struct matrices *x, int32_t i, int32_t j) {
    float sum = 0.0f;
    for (int32_t k = 0; k < x->size.k; k++) {
        sum = keep(sum + keep(a_at(x, i, k), 8, true) * keep(b_at(x, k, j), 8, true), 8, true);
    }
    return sum;
}

static const sum_function dishonest[] = {sum_tf32,     sum_tf32_cut, sum_tf32_of_a, sum_bf16,
                                         sum_bf16_cut, sum_in_fp16,  sum_in_bf16};
#define DISHONEST_COUNT ((int)(sizeof dishonest / sizeof dishonest[0]))

START_TEST(low_precision_of_exact_inputs_is_named) {
    for (int32_t k = 2; k <= 300; k = k * 5 / 4 + 1) {
        struct matrices x = matrices_new(INPUTS_EXACT, 19, 17, k);
        fill_c(&x, dishonest[_i]);
        struct oracle_report report = check(&x);
        bool sums_in_bf16 =
            dishonest[_i] == sum_in_bf16 && k > 60;  // errors grow as large as those of wrong terms
        ck_assert_msg(report.verdict == VERDICT_LOW_PRECISION ||
                          (sums_in_bf16 && report.verdict == VERDICT_WRONG_RESULT),
                      "K = %d: %s", k, report.evidence);
        matrices_free(&x);
    }
}
END_TEST

START_TEST(low_precision_of_exact_inputs_is_named_at_large_k) {
    for (int32_t k = 1000; k <= 16000; k *= 4) {
        struct matrices x = matrices_new(INPUTS_EXACT, 19, 17, k);
        fill_c(&x, dishonest[_i]);
        struct oracle_report report = check(&x);
        ck_assert_msg(report.verdict == VERDICT_LOW_PRECISION, "K = %d: %s", k, report.evidence);
        matrices_free(&x);
    }
}
END_TEST

START_TEST(low_precision_of_real_inputs_is_named) {
    const int32_t terms[] = {1, 2, 16, 64, 257, 1024, 8192};
    for (size_t t = 0; t < sizeof terms / sizeof terms[0]; t++) {
        struct matrices x = matrices_new(INPUTS_REAL, 17, 19, terms[t]);
        fill_c(&x, dishonest[_i]);
        struct oracle_report report = check(&x);
        ck_assert_msg(report.verdict == VERDICT_LOW_PRECISION, "K = %d: %s", terms[t],
                      report.evidence);
        matrices_free(&x);
    }
}
END_TEST

START_TEST(which_rounding_it_was_is_said) {
    struct matrices x = matrices_new(INPUTS_EXACT, 8, 8, 20);
    fill_c(&x, sum_tf32);
    ck_assert_str_eq(plain(check(&x).cause), "The errors are many and small: A and B were rounded "
                                             "to 11 bits, the precision of TF32 and FP16.");
    fill_c(&x, sum_bf16_cut);
    ck_assert_str_eq(plain(check(&x).cause),
                     "The errors are many and small: A and B were truncated "
                     "to 8 bits, the precision of BF16.");
    fill_c(&x, sum_in_fp16);
    x.c[0] += 1.0f;
    ck_assert_str_eq(plain(check(&x).cause),
                     "The errors are many and small: that is arithmetic with fewer bits than "
                     "fp32, such as TF32, FP16 or BF16.");
    matrices_free(&x);
}
END_TEST

START_TEST(few_small_errors_are_a_wrong_result) {
    struct matrices x = matrices_new(INPUTS_EXACT, 20, 20, 30);
    multiply(&x);
    for (int e = 0; e < 99; e++) {  // one less than a quarter
        x.c[e * 4] += (float)(e % 3 - 1) * 2.0f + 1.0f;
    }
    ck_assert_int_eq(check(&x).verdict, VERDICT_WRONG_RESULT);
    matrices_free(&x);
}
END_TEST

// Small errors that not all of C has: one element, one column of three, one row of three.
START_TEST(small_errors_of_a_part_are_no_low_precision) {
    const struct size sizes[] = {{15, 18, 112}, {70, 3, 40}, {3, 70, 40}};
    for (int kind = INPUTS_EXACT; kind <= INPUTS_REAL; kind++) {
        struct size size = sizes[_i];
        struct matrices x = matrices_new((enum inputs_kind)kind, size.m, size.n, size.k);
        multiply(&x);
        for (int32_t i = 0; i < size.m; i++) {
            for (int32_t j = 0; j < size.n; j++) {
                bool chosen = _i == 0 ? i == 14 && j == 17 : _i == 1 ? j == 1 : i == 1;
                *c_at(&x, i, j) = chosen ? sum_bf16(&x, i, j) : *c_at(&x, i, j);
            }
        }
        struct oracle_report report = check(&x);
        ck_assert_msg(report.verdict == VERDICT_WRONG_RESULT, "%s", report.cause);
        ck_assert_str_eq(plain(report.cause), "");
        matrices_free(&x);
    }
}
END_TEST

START_TEST(tf32_in_one_tile_of_real_inputs_is_caught) {
    struct matrices x = matrices_new(INPUTS_REAL, 128, 128, 2000);
    multiply(&x);
    ck_assert_int_eq(check(&x).verdict, VERDICT_PASS);
    for (int32_t i = 96; i < 112; i++) {
        for (int32_t j = 64; j < 80; j++) {
            *c_at(&x, i, j) = sum_tf32(&x, i, j);
        }
    }
    ck_assert_int_ne(check(&x).verdict, VERDICT_PASS);
    matrices_free(&x);
}
END_TEST

// --- Planted mistakes ---------------------------------------------------------------------------

START_TEST(nan_and_infinity_never_pass) {
    const float bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (int kind = INPUTS_EXACT; kind <= INPUTS_REAL; kind++) {
        for (int b = 0; b < 4; b++) {
            struct matrices x = matrices_new((enum inputs_kind)kind, 20, 20, 20);
            multiply(&x);
            *c_at(&x, 7, 9) = bad[b];
            struct oracle_report report = check(&x);
            ck_assert_int_eq(report.verdict, VERDICT_WRONG_RESULT);
            ck_assert_int_eq(report.row, 7);
            ck_assert_int_eq(report.column, 9);
            ck_assert_uint_eq(report.wrong_count, 1);
            matrices_free(&x);
        }
    }
}
END_TEST

START_TEST(the_same_error_everywhere_is_no_low_precision) {
    struct matrices x = matrices_new(INPUTS_EXACT, 5, 5, 10);
    multiply(&x);
    for (int e = 0; e < 25; e++) {
        x.c[e] += _i == 0 ? INFINITY : 1.0f;
    }
    ck_assert_int_eq(check(&x).verdict, VERDICT_WRONG_RESULT);
    matrices_free(&x);
}
END_TEST

START_TEST(one_wrong_element_of_90000_is_found) {
    struct matrices x = matrices_new(INPUTS_EXACT, 300, 300, 20);
    multiply(&x);
    ck_assert_int_eq(check(&x).verdict, VERDICT_PASS);
    float right = *c_at(&x, 123, 45);
    *c_at(&x, 123, 45) += 1.0f;
    struct oracle_report report = check(&x);
    char text[ORACLE_TEXT_MAX];
    (void)snprintf(text, sizeof text,
                   "C[123][45] is %.0f and should be %.0f (wrong: only this element).",
                   (double)right + 1, (double)right);
    ck_assert_int_eq(report.verdict, VERDICT_WRONG_RESULT);
    ck_assert_uint_eq(report.wrong_count, 1);
    ck_assert_str_eq(plain(report.evidence), text);
    matrices_free(&x);
}
END_TEST

START_TEST(a_real_element_is_wrong_from_the_bound_on) {
    struct matrices x = matrices_new(INPUTS_REAL, 3, 3, 5);
    fill_c(&x, sum_double);
    float right = *c_at(&x, 1, 1);
    double magnitude = 0;
    for (int32_t k = 0; k < 5; k++) {
        magnitude += fabs((double)a_at(&x, 1, k) * (double)b_at(&x, k, 1));
    }
    *c_at(&x, 1, 1) = (float)((double)right + 4 * 0x1p-24 * magnitude);
    ck_assert_int_eq(check(&x).verdict, VERDICT_PASS);
    *c_at(&x, 1, 1) = (float)((double)right + 8 * 0x1p-24 * magnitude);
    struct oracle_report report = check(&x);
    ck_assert_int_eq(report.verdict, VERDICT_WRONG_RESULT);
    ck_assert_int_eq(report.row, 1);
    ck_assert_int_eq(report.column, 1);
    matrices_free(&x);
}
END_TEST

START_TEST(a_missing_term_of_real_inputs_is_a_wrong_result) {
    const int32_t terms[] = {1, 2, 50, 1000, 8000};
    for (size_t t = 0; t < sizeof terms / sizeof terms[0]; t++) {
        struct matrices x = matrices_new(INPUTS_REAL, 20, 20, terms[t]);
        for (int32_t e = 0; e < 400; e++) {
            x.c[e] = terms_sum(&x, e / 20, e % 20, 0, terms[t] - 1);
        }
        ck_assert_int_eq(check(&x).verdict, VERDICT_WRONG_RESULT);
        matrices_free(&x);
    }
}
END_TEST

// Small errors in one row alone are not those of arithmetic with fewer bits.
START_TEST(a_lone_row_of_real_inputs_is_a_wrong_result_whatever_its_errors) {
    struct matrices x = matrices_new(INPUTS_REAL, 20, 40, 1000);
    struct oracle_report report;
    fill_c(&x, sum_forward);
    for (int32_t k = 0; k < 40; k++) {  // terms large and small
        for (int32_t j = 0; j < x.size.n; j++) {
            *c_at(&x, 7, j) = sum_forward(&x, 7, j) - a_at(&x, 7, k) * b_at(&x, k, j);
        }
        report = oracle_explain_row(PRECISION_FP32, &(struct matmul){x.size, x.a, x.b, x.c}, 7);
        ck_assert_int_eq(report.verdict, VERDICT_WRONG_RESULT);
        ck_assert_int_eq(report.row, 7);
        ck_assert_str_eq(plain(report.cause), "");
    }
    fill_c(&x, sum_forward);
    *c_at(&x, 7, 3) = NAN;
    report = oracle_explain_row(PRECISION_FP32, &(struct matmul){x.size, x.a, x.b, x.c}, 7);
    ck_assert_int_eq(report.column, 3);
    ck_assert_str_ne(report.cause, "");
    matrices_free(&x);
}
END_TEST

START_TEST(a_cause_stands_beside_the_element) {
    struct matrices x = matrices_new(INPUTS_EXACT, 3, 4, 50);
    multiply(&x);
    for (int32_t j = 0; j < 4; j++) {
        *c_at(&x, 1, j) = terms_sum(&x, 1, j, 0, 48);
    }
    struct oracle_report report = check(&x);
    char text[ORACLE_TEXT_MAX];
    (void)snprintf(text, sizeof text, "C[1][0] is %.0f and should be %.0f (wrong: row 1).",
                   (double)report.got, report.want);
    ck_assert_str_eq(plain(report.evidence), text);
    ck_assert_str_eq(plain(report.cause),
                     "The terms k = 48 and 49 are missing. The terms after the last whole tile "
                     "of 16 are not in the sum.");
    ck_assert_int_eq(report.explained, EXPLAINED_TERMS);
    matrices_free(&x);
}
END_TEST

// --- Freivalds ----------------------------------------------------------------------------------

START_TEST(freivalds_finds_single_errors_and_raises_no_alarm) {
    struct matrices x = matrices_new(INPUTS_EXACT, 61, 67, 300);
    uint8_t wrong[61];
    uint64_t count = 99;
    multiply(&x);
    for (uint64_t r = 0; r < 200; r++) {
        struct random_key key = {{r, 3 * r}};
        count = freivalds_check(key, &(struct matmul){x.size, x.a, x.b, x.c}, wrong);
        ck_assert_uint_eq(count, 0);
        float *element = &x.c[random_below(key, 7, 61 * 67)];
        float right = *element;
        *element += r % 2 ? 1.0f : -1.0f;
        count = freivalds_check(key, &(struct matmul){x.size, x.a, x.b, x.c}, wrong);
        ck_assert_uint_eq(count, 1);
        ck_assert_uint_eq(wrong[(element - x.c) / 67], 1);
        *element = right;
    }
    matrices_free(&x);
}
END_TEST

START_TEST(freivalds_marks_what_is_no_integer) {
    const float bad[] = {NAN, INFINITY, -INFINITY, 0.5f, 33554432.0f, 1e30f};
    struct matrices x = matrices_new(INPUTS_EXACT, 3, 5, 4);
    uint8_t wrong[3];
    uint64_t count = 0;
    multiply(&x);
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
        float right = x.c[7];
        x.c[7] = bad[b];
        count = freivalds_check(product_key, &(struct matmul){x.size, x.a, x.b, x.c}, wrong);
        ck_assert_uint_eq(count, 1);
        ck_assert_uint_eq(wrong[1], 1);
        x.c[7] = right;
    }
    matrices_free(&x);
}
END_TEST

START_TEST(a_large_product_is_judged_by_freivalds) {
    struct matrices x = matrices_new(INPUTS_EXACT, 1000, 1000, 201);  // above ORACLE_FULL_MAX
    multiply(&x);
    ck_assert_uint_gt(size_multiply_adds(x.size), ORACLE_FULL_MAX);
    ck_assert_int_eq(check(&x).verdict, VERDICT_PASS);
    *c_at(&x, 500, 600) += 1.0f;
    struct oracle_report report = check(&x);
    ck_assert_int_eq(report.verdict, VERDICT_WRONG_RESULT);
    ck_assert_int_eq(report.row, 500);
    ck_assert_int_eq(report.column, 600);
    ck_assert_uint_eq(report.wrong_count, 1);
    for (int32_t i = 0; i < 1000; i++) {
        for (int32_t j = 0; j < 1000; j++) {
            *c_at(&x, i, j) -= a_at(&x, i, 200) * b_at(&x, 200, j);
        }
    }
    *c_at(&x, 500, 600) -= 1.0f;
    report = check(&x);
    ck_assert_uint_eq(report.wrong_count, 1000000);
    ck_assert_ptr_nonnull(strstr(plain(report.evidence), "(wrong: all of C)."));
    ck_assert_str_eq(plain(report.cause), "The term k = 200, the last one, is missing.");
    matrices_free(&x);
}
END_TEST

// "No term is in the sum" would be true of each element, but not each was looked at.
START_TEST(without_a_look_at_each_wrong_element_no_cause_is_given) {
    struct matrices x = matrices_new(INPUTS_EXACT, 1600, 1600, 1600);
    memset(x.c, 0, size_elements_c(x.size) * sizeof *x.c);
    struct oracle_report report = check(&x);
    ck_assert_uint_eq(report.wrong_count, 0);  // unknown
    ck_assert_ptr_nonnull(strstr(plain(report.evidence), "(wrong: 1600 of 1600 rows)."));
    ck_assert_str_eq(plain(report.cause), "");
    matrices_free(&x);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("oracle");
    TCase *tests = tcase_create("oracle");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, honest_sums_of_exact_inputs_pass, 0, HONEST_COUNT);
    tcase_add_loop_test(tests, honest_sums_of_real_inputs_pass, 0, HONEST_COUNT);
    tcase_add_test(tests, minus_zero_is_zero);
    tcase_add_loop_test(tests, low_precision_of_exact_inputs_is_named, 0, DISHONEST_COUNT);
    tcase_add_loop_test(tests, low_precision_of_exact_inputs_is_named_at_large_k, 0,
                        DISHONEST_COUNT - 2);
    tcase_add_loop_test(tests, low_precision_of_real_inputs_is_named, 0, DISHONEST_COUNT - 2);
    tcase_add_test(tests, which_rounding_it_was_is_said);
    tcase_add_test(tests, few_small_errors_are_a_wrong_result);
    tcase_add_test(tests, tf32_in_one_tile_of_real_inputs_is_caught);
    tcase_add_test(tests, nan_and_infinity_never_pass);
    tcase_add_loop_test(tests, small_errors_of_a_part_are_no_low_precision, 0, 3);
    tcase_add_loop_test(tests, the_same_error_everywhere_is_no_low_precision, 0, 2);
    tcase_add_test(tests, one_wrong_element_of_90000_is_found);
    tcase_add_test(tests, a_real_element_is_wrong_from_the_bound_on);
    tcase_add_test(tests, a_missing_term_of_real_inputs_is_a_wrong_result);
    tcase_add_test(tests, a_lone_row_of_real_inputs_is_a_wrong_result_whatever_its_errors);
    tcase_add_test(tests, a_cause_stands_beside_the_element);
    tcase_add_test(tests, freivalds_finds_single_errors_and_raises_no_alarm);
    tcase_add_test(tests, freivalds_marks_what_is_no_integer);
    tcase_add_test(tests, a_large_product_is_judged_by_freivalds);
    tcase_add_test(tests, without_a_look_at_each_wrong_element_no_cause_is_given);
    suite_add_tcase(suite, tests);
    return suite;
}

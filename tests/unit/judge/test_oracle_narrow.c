// Exercises that let a kernel round its factors to 11 bits: kernels of that format pass, and those
// of fewer bits do not.
#include "roundings.h"
#include "suite.h"

// FP16 has no normal numbers below 2^-14: there its steps are 2^-24.
static float to_fp16(float value) {
    float near = keep(value, 11, true);
    return fabsf(value) < 0x1p-14f ? rintf(value * 0x1p24f) * 0x1p-24f : near;
}

// Sums as tensor cores keep them: cut to fp32, not rounded.
static float sum_fp16_cut_sums(const struct matrices *x, int32_t i, int32_t j) {
    float sum = 0.0f;
    for (int32_t k = 0; k < x->size.k; k++) {
        double exact =
            (double)sum + (double)to_fp16(a_at(x, i, k)) * (double)to_fp16(b_at(x, k, j));
        sum = (float)exact;
        sum = fabs((double)sum) > fabs(exact) ? nextafterf(sum, 0.0f) : sum;
    }
    return sum;
}

static const sum_function narrow_honest[] = {sum_tf32, sum_tf32_cut, sum_tf32_of_a,
                                             sum_fp16_cut_sums};
static const int32_t narrow_terms[] = {1, 2, 7, 8, 31, 64, 257, 1000, 4096};
#define NARROW_TERMS_COUNT ((int)(sizeof narrow_terms / sizeof narrow_terms[0]))

START_TEST(kernels_of_that_format_pass) {
    const enum inputs_kind kinds[] = {INPUTS_EXACT, INPUTS_REAL};
    for (int t = 0; t < NARROW_TERMS_COUNT * 2; t++) {
        struct matrices x = matrices_narrow(kinds[t % 2], 17, 19, narrow_terms[t / 2]);
        fill_c(&x, narrow_honest[_i]);
        struct oracle_report report = check_narrow(&x);
        ck_assert_msg(report.verdict == VERDICT_PASS, "K = %d: %s", narrow_terms[t / 2],
                      report.evidence);
        matrices_free(&x);
    }
}
END_TEST

START_TEST(fp32_passes_where_less_would_do) {
    struct matrices x = matrices_narrow(INPUTS_REAL, 17, 19, 300);
    multiply(&x);
    ck_assert_int_eq(check_narrow(&x).verdict, VERDICT_PASS);
    matrices_free(&x);
}
END_TEST

static const sum_function narrow_dishonest[] = {sum_bf16, sum_bf16_cut, sum_in_fp16};

START_TEST(fewer_bits_than_that_format_are_named) {
    for (int32_t k = 3; k <= 300; k = k * 5 / 4 + 1) {
        struct matrices x = matrices_narrow(INPUTS_EXACT, 19, 17, k);
        fill_c(&x, narrow_dishonest[_i]);
        struct oracle_report report = check_narrow(&x);
        // A sum of few terms in FP16 is often right by chance.
        bool few = k < 8 && report.verdict == VERDICT_WRONG_RESULT;
        ck_assert_msg(report.verdict == VERDICT_LOW_PRECISION || few, "K = %d: %s", k,
                      report.evidence);
        matrices_free(&x);
    }
}
END_TEST

// Sums of few terms in FP16 are caught only by the exact inputs.
START_TEST(fewer_bits_of_real_inputs_are_named) {
    const int32_t terms[] = {128, 257, 1000, 4096};
    for (int t = 0; t < 4; t++) {
        struct matrices x = matrices_narrow(INPUTS_REAL, 17, 19, terms[t]);
        fill_c(&x, narrow_dishonest[_i]);
        struct oracle_report report = check_narrow(&x);
        ck_assert_msg(report.verdict == VERDICT_LOW_PRECISION, "K = %d: %s", terms[t],
                      report.evidence);
        matrices_free(&x);
    }
}
END_TEST

START_TEST(a_missing_term_is_wrong_in_that_format_too) {
    const enum inputs_kind kinds[] = {INPUTS_EXACT, INPUTS_REAL};
    for (int t = 0; t < 2; t++) {
        struct matrices x = matrices_narrow(kinds[t], 17, 19, 64);
        for (int32_t i = 0; i < 17; i++) {
            for (int32_t j = 0; j < 19; j++) {
                *c_at(&x, i, j) = terms_sum(&x, i, j, 0, 63);
            }
        }
        ck_assert_int_eq(check_narrow(&x).verdict, VERDICT_WRONG_RESULT);
        matrices_free(&x);
    }
}
END_TEST

SUITE() {
    Suite *suite = suite_create("oracle_narrow");
    TCase *tests = tcase_create("oracle_narrow");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, kernels_of_that_format_pass, 0, 4);
    tcase_add_test(tests, fp32_passes_where_less_would_do);
    tcase_add_loop_test(tests, fewer_bits_than_that_format_are_named, 0, 3);
    tcase_add_loop_test(tests, fewer_bits_of_real_inputs_are_named, 0, 3);
    tcase_add_test(tests, a_missing_term_is_wrong_in_that_format_too);
    suite_add_tcase(suite, tests);
    return suite;
}

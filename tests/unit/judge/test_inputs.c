// Inputs: exactness proven for every K, the form of each number, and the poison.
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "product.h"
#include "suite.h"

#define TWO_24 16777216

static bool is_big(float value) {
    int magnitude = (int)fabsf(value);
    return magnitude >= INPUTS_BIG_MIN && magnitude <= INPUTS_BIG_MAX && magnitude % 2 == 1;
}

START_TEST(no_sum_of_any_k_reaches_2_to_24) {
    for (int32_t k = 1; k <= SIZE_DIMENSION_MAX; k++) {
        int64_t big = inputs_big_terms(k);
        ck_assert_int_ge(big, k < 4096 ? k : 1);
        ck_assert_int_le(big, k);
        ck_assert_int_lt(big * INPUTS_BIG_MAX + (k - big), TWO_24);
    }
}
END_TEST

START_TEST(sums_of_magnitudes_stay_below_2_to_24) {
    const int32_t terms[] = {1, 2, 63, 4095, 4096, 4097, 4098, 8192, SIZE_DIMENSION_MAX};
    for (size_t t = 0; t < sizeof terms / sizeof terms[0]; t++) {
        struct matrices x = matrices_new(INPUTS_EXACT, 2, 3, terms[t]);
        for (int32_t i = 0; i < 2; i++) {
            for (int32_t j = 0; j < 3; j++) {
                double sum = 0;
                int32_t big = 0;
                for (int32_t k = 0; k < terms[t]; k++) {
                    double term = fabs((double)a_at(&x, i, k) * (double)b_at(&x, k, j));
                    sum += term;
                    big += is_big((float)term);
                    ck_assert(term == 1 || is_big((float)term));  // never 0
                }
                ck_assert(sum < TWO_24);
                ck_assert_int_eq(big, inputs_big_terms(terms[t]));
            }
        }
        matrices_free(&x);
    }
}
END_TEST

// Odd integers of 11 bits, which TF32 and FP16 hold; batches of launches have them too.
START_TEST(narrow_keys_make_factors_of_11_bits) {
    const struct size size = {5, 7, 300};
    struct matrices x = matrices_new(INPUTS_EXACT, size.m, size.n, size.k);
    for (uint32_t batch = 0; batch < 3; batch++) {
        inputs_fill(INPUTS_EXACT, exact_batch_key(exact_narrow(product_key), batch), size, x.a,
                    x.b);
        int big = 0;
        for (int32_t k = 0; k < size.k; k++) {
            int term = abs((int)(a_at(&x, 4, k) * b_at(&x, k, 6)));
            ck_assert(term == 1 || (term >= 1025 && term <= 2047 && term % 2 == 1));
            big += term > 1;
        }
        ck_assert_int_eq(big, inputs_big_terms(size.k));
    }
    matrices_free(&x);
}
END_TEST

START_TEST(one_factor_of_a_term_is_wide_and_the_other_is_one) {
    struct matrices x = matrices_new(INPUTS_EXACT, 9, 11, 500);
    int of_a = 0;
    for (int32_t k = 0; k < 500; k++) {
        bool wide = is_big(a_at(&x, 0, k));
        of_a += wide;
        for (int32_t i = 0; i < 9; i++) {
            ck_assert(wide ? is_big(a_at(&x, i, k)) : fabsf(a_at(&x, i, k)) == 1.0f);
        }
        for (int32_t j = 0; j < 11; j++) {
            ck_assert(wide ? fabsf(b_at(&x, k, j)) == 1.0f : is_big(b_at(&x, k, j)));
        }
    }
    ck_assert_int_eq(of_a, 250);  // one of every two terms
    matrices_free(&x);
}
END_TEST

START_TEST(roles_of_the_terms_depend_on_the_key) {
    struct size size = {1, 1, 64};
    float a[2][64];
    float b[64];
    int different = 0;
    for (uint64_t r = 0; r < 2; r++) {
        inputs_fill(INPUTS_EXACT, (struct random_key){{77 + r, 5}}, size, a[r], b);
    }
    for (int k = 0; k < 64; k++) {
        different += is_big(a[0][k]) != is_big(a[1][k]);
    }
    ck_assert_int_gt(different, 8);
}
END_TEST

START_TEST(signs_are_balanced) {
    struct matrices x = matrices_new(INPUTS_EXACT, 100, 100, 100);
    int negative = 0;
    for (size_t i = 0; i < 10000; i++) {
        negative += (x.a[i] < 0) + (x.b[i] < 0);
    }
    ck_assert_int_gt(negative, 9500);  // out of 20000: 7 standard deviations
    ck_assert_int_lt(negative, 10500);
    matrices_free(&x);
}
END_TEST

START_TEST(the_same_key_gives_the_same_inputs) {
    for (int kind = INPUTS_EXACT; kind <= INPUTS_REAL; kind++) {
        struct matrices x = matrices_new((enum inputs_kind)kind, 5, 7, 9);
        struct matrices y = matrices_new((enum inputs_kind)kind, 5, 7, 9);
        ck_assert_mem_eq(x.a, y.a, 45 * sizeof(float));
        ck_assert_mem_eq(x.b, y.b, 63 * sizeof(float));
        inputs_fill(y.kind, (struct random_key){{1, 1}}, y.size, y.a, y.b);
        ck_assert_mem_ne(x.a, y.a, 45 * sizeof(float));
        matrices_free(&x);
        matrices_free(&y);
    }
}
END_TEST

START_TEST(real_inputs_are_uniform_and_never_zero) {
    struct matrices x = matrices_new(INPUTS_REAL, 101, 3, 99);  // an odd number of elements
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < 9999; i++) {
        ck_assert(x.a[i] > -1.0f && x.a[i] < 1.0f && x.a[i] != 0.0f);
        sum += (double)x.a[i];
        squares += (double)x.a[i] * (double)x.a[i];
    }
    ck_assert(fabs(sum / 9999) < 0.03);  // 5 standard deviations of 1/sqrt(3 * 9999)
    ck_assert(fabs(squares / 9999 - 1.0 / 3) < 0.015);
    ck_assert(memcmp(x.a, x.b, 297 * sizeof(float)) != 0);
    matrices_free(&x);
}
END_TEST

START_TEST(poison_is_told_from_any_other_nan) {
    float c[3];
    poison_fill(c, 3);
    ck_assert(poison_is(c[0]) && poison_is(c[2]));
    ck_assert(isnan(c[1]));
    ck_assert(!poison_was_read(c[1]));
    ck_assert(!poison_is(NAN) && !poison_is(0.0f) && !poison_was_read(NAN));
    volatile float one = 1.0f;
    float sum = c[1] + one;
    ck_assert(!poison_is(sum));
    ck_assert(poison_was_read(sum));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("inputs");
    TCase *tests = tcase_create("inputs");
    tcase_add_test(tests, no_sum_of_any_k_reaches_2_to_24);
    tcase_add_test(tests, sums_of_magnitudes_stay_below_2_to_24);
    tcase_add_test(tests, narrow_keys_make_factors_of_11_bits);
    tcase_add_test(tests, one_factor_of_a_term_is_wide_and_the_other_is_one);
    tcase_add_test(tests, roles_of_the_terms_depend_on_the_key);
    tcase_add_test(tests, signs_are_balanced);
    tcase_add_test(tests, the_same_key_gives_the_same_inputs);
    tcase_add_test(tests, real_inputs_are_uniform_and_never_zero);
    tcase_add_test(tests, poison_is_told_from_any_other_nan);
    suite_add_tcase(suite, tests);
    return suite;
}

// Freivalds' test of timed outputs: right ones pass for every shape, one wrong element in any place
// of any launch of a batch is noticed, and so is a value that is not an integer.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "judge/expected/expected_case.h"
#include "judge/model/inputs.h"
#include "judge/speed/timed_check.h"
#include "suite.h"

static const struct random_key key = {{11, 22}};
static const struct random_key secret = {{33, 44}};

static const struct size sizes[] = {{1, 1, 1},    {1, 1, 2},     {5, 3, 4},    {33, 65, 129},
                                    {64, 64, 64}, {100, 1, 257}, {1, 100, 40}, {70, 31, 5000}};
#define SIZE_COUNT ((int)(sizeof sizes / sizeof *sizes))

static void product(struct size size, struct random_key of, float *c) {
    float *a = malloc(size_elements_a(size) * sizeof *a);
    float *b = malloc(size_elements_b(size) * sizeof *b);
    inputs_fill(INPUTS_EXACT, of, size, a, b);
    for (int32_t i = 0; i < size.m; i++) {
        for (int32_t j = 0; j < size.n; j++) {
            float sum = 0.0f;
            for (int32_t k = 0; k < size.k; k++) {
                sum += a[i * size.k + k] * b[k * size.n + j];
            }
            c[i * size.n + j] = sum;
        }
    }
    free(b);
    free(a);
}

static void verify(struct timed_check *check, const float *student, const float *reference,
                   size_t stride, int wrong[TIMED_SIDES]) {
    const void *outputs[TIMED_SIDES] = {student, reference};
    timed_check_start(check, TIMED_EXACT, key, secret, outputs, stride);
    timed_check_wait(check, wrong);
}

START_TEST(a_right_product_passes_and_one_wrong_element_does_not) {
    struct size size = sizes[_i];
    size_t count = size_elements_c(size);
    float *c = malloc(count * sizeof *c);
    float *spoilt = malloc(count * sizeof *c);
    struct timed_check *check = NULL;
    int wrong[TIMED_SIDES];
    product(size, key, c);
    ck_assert_int_eq(timed_check_new(size, 1, PRECISION_FP32, &check, NULL), STATUS_OK);
    verify(check, c, c, 0, wrong);
    ck_assert_int_eq(wrong[0], -1);
    ck_assert_int_eq(wrong[1], -1);
    const size_t places[] = {0, count / 2, count - 1};
    const float errors[] = {1.0f, -2.0f, 8190.0f, 0.5f, NAN, INFINITY, 4e7f};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
            memcpy(spoilt, c, count * sizeof *c);
            spoilt[places[p]] += errors[e];
            verify(check, spoilt, c, 0, wrong);
            ck_assert_int_eq(wrong[0], 0);
            ck_assert_int_eq(wrong[1], -1);
        }
    }
    timed_check_free(check);
    free(spoilt);
    free(c);
}
END_TEST

START_TEST(the_first_wrong_launch_of_a_batch_is_told) {
    struct size size = {20, 30, 40};
    enum { BATCH = 5, STRIDE = 4096 };
    static float c[BATCH][STRIDE / sizeof(float)];
    static float spoilt[BATCH][STRIDE / sizeof(float)];
    struct timed_check *check = NULL;
    int wrong[TIMED_SIDES];
    for (uint32_t j = 0; j < BATCH; j++) {
        product(size, exact_batch_key(key, j), c[j]);
    }
    ck_assert_int_eq(timed_check_new(size, BATCH, PRECISION_FP32, &check, NULL), STATUS_OK);
    memcpy(spoilt, c, sizeof c);
    spoilt[4][0] += 1.0f;
    spoilt[2][599] += 1.0f;
    verify(check, c[0], spoilt[0], STRIDE, wrong);
    ck_assert_int_eq(wrong[0], -1);
    ck_assert_int_eq(wrong[1], 2);
    timed_check_free(check);
}
END_TEST

START_TEST(a_replayed_output_of_other_inputs_is_wrong_and_a_missing_side_is_not) {
    struct size size = {16, 16, 16};
    float c[256];
    struct timed_check *check = NULL;
    int wrong[TIMED_SIDES];
    product(size, (struct random_key){{12, 22}}, c);
    ck_assert_int_eq(timed_check_new(size, 1, PRECISION_FP32, &check, NULL), STATUS_OK);
    verify(check, c, NULL, 0, wrong);
    ck_assert_int_eq(wrong[0], 0);
    ck_assert_int_eq(wrong[1], -1);
    timed_check_free(check);
}
END_TEST

START_TEST(the_keys_of_a_batch_differ_and_the_first_is_the_key_itself) {
    for (uint32_t i = 0; i < 32; i++) {
        for (uint32_t j = i + 1; j < 32; j++) {
            struct random_key a = exact_batch_key(key, i);
            struct random_key b = exact_batch_key(key, j);
            ck_assert(a.word[0] != b.word[0] && a.word[1] != b.word[1]);
        }
    }
    ck_assert(exact_batch_key(key, 0).word[0] == key.word[0]);
}
END_TEST

// --- Real inputs --------------------------------------------------------------------------------

enum arithmetic { ARITHMETIC_FP32, ARITHMETIC_BACKWARDS, ARITHMETIC_TF32, ARITHMETIC_TF32_OF_A };

// Rounds to the 11 bits of TF32.
static float narrow(float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits + 0x1000u) & 0xffffe000u;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void real_product(struct size size, struct random_key of, enum arithmetic how, float *c) {
    float *a = malloc(size_elements_a(size) * sizeof *a);
    float *b = malloc(size_elements_b(size) * sizeof *b);
    inputs_fill(INPUTS_REAL, of, size, a, b);
    for (int32_t i = 0; i < size.m; i++) {
        for (int32_t j = 0; j < size.n; j++) {
            float sum = 0.0f;
            for (int32_t n = 0; n < size.k; n++) {
                int32_t k = how == ARITHMETIC_BACKWARDS ? size.k - 1 - n : n;
                float left = a[i * size.k + k];
                float right = b[k * size.n + j];
                left = how >= ARITHMETIC_TF32 ? narrow(left) : left;
                right = how == ARITHMETIC_TF32 ? narrow(right) : right;
                sum += left * right;
            }
            c[i * size.n + j] = sum;
        }
    }
    free(b);
    free(a);
}

static void real_verify(struct timed_check *check, const float *student, const float *reference,
                        int wrong[TIMED_SIDES]) {
    const void *outputs[TIMED_SIDES] = {student, reference};
    timed_check_start(check, TIMED_REAL, key, secret, outputs, 0);
    timed_check_wait(check, wrong);
}

START_TEST(a_product_of_real_inputs_passes_in_any_order_and_not_with_fewer_bits) {
    struct size size = sizes[_i];
    size_t count = size_elements_c(size);
    float *c[4];
    struct timed_check *check = NULL;
    int wrong[TIMED_SIDES];
    ck_assert_int_eq(timed_check_new(size, 1, PRECISION_FP32, &check, NULL), STATUS_OK);
    for (int how = 0; how < 4; how++) {
        c[how] = malloc(count * sizeof(float));
        real_product(size, key, (enum arithmetic)how, c[how]);
    }
    real_verify(check, c[ARITHMETIC_FP32], c[ARITHMETIC_BACKWARDS], wrong);
    ck_assert_int_eq(wrong[0], -1);
    ck_assert_int_eq(wrong[1], -1);
    real_verify(check, c[ARITHMETIC_TF32], c[ARITHMETIC_TF32_OF_A], wrong);
    ck_assert_int_eq(wrong[0], 0);
    ck_assert_int_eq(wrong[1], 0);
    for (int how = 0; how < 4; how++) {
        free(c[how]);
    }
    timed_check_free(check);
}
END_TEST

START_TEST(one_wrong_element_of_a_real_product_is_seen_with_its_row) {
    struct size size = sizes[_i];
    size_t count = size_elements_c(size);
    float *c = malloc(count * sizeof *c);
    float *spoilt = malloc(count * sizeof *c);
    struct timed_check *check = NULL;
    int wrong[TIMED_SIDES];
    real_product(size, key, ARITHMETIC_FP32, c);
    ck_assert_int_eq(timed_check_new(size, 1, PRECISION_FP32, &check, NULL), STATUS_OK);
    const size_t places[] = {0, count / 2, count - 1};
    const float errors[] = {0.3f, -1.0f, NAN, INFINITY, 3e38f};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
            memcpy(spoilt, c, count * sizeof *c);
            spoilt[places[p]] += errors[e];
            real_verify(check, c, spoilt, wrong);
            ck_assert_int_eq(wrong[0], -1);
            ck_assert_int_eq(wrong[1], 0);
            ck_assert_int_eq(timed_check_wrong_row(check, 1),
                             (int32_t)(places[p] / (size_t)size.n));
        }
    }
    timed_check_free(check);
    free(spoilt);
    free(c);
}
END_TEST

// An exercise that allows 11 bits allows TF32, and not the 8 bits of BF16.
START_TEST(narrow_factors_pass_where_the_exercise_allows_them) {
    struct size size = {64, 64, 64};
    float *c = malloc(size_elements_c(size) * sizeof *c);
    struct timed_check *check = NULL;
    int wrong[TIMED_SIDES];
    ck_assert_int_eq(timed_check_new(size, 1, PRECISION_FP16, &check, NULL), STATUS_OK);
    real_product(size, key, ARITHMETIC_TF32, c);
    real_verify(check, c, NULL, wrong);
    ck_assert_int_eq(wrong[0], -1);
    for (size_t i = 0; i < size_elements_c(size); i++) {
        uint32_t bits = 0;
        memcpy(&bits, &c[i], sizeof bits);
        bits &= 0xfff80000u;  // five bits of the sum
        memcpy(&c[i], &bits, sizeof bits);
    }
    real_verify(check, c, NULL, wrong);
    ck_assert_int_eq(wrong[0], 0);
    timed_check_free(check);
    free(c);
}
END_TEST

// A and B of half or bf16, as expected_specs has them drawn.
START_TEST(products_of_drawn_small_numbers_are_verified_too) {
    const enum element_type element = _i < SIZE_COUNT ? ELEMENT_HALF : ELEMENT_BF16;
    const int digits = element_digits(element);
    struct size size = sizes[_i % SIZE_COUNT];
    size_t count = size_elements_c(size);
    const bool is_real = _i % 2 == 1;
    const size_t elements[] = {size_elements_a(size), size_elements_b(size)};
    struct draw_spec spec[2];
    uint16_t *values[2];
    float *c = calloc(count, sizeof *c);
    struct timed_check *check = NULL;
    int wrong[TIMED_SIDES];
    for (int i = 0; i < 2; i++) {
        spec[i] = (struct draw_spec){.elements = elements[i],
                                     .stream = (uint64_t)i << 56,
                                     .low = -1,
                                     .high = 1,
                                     .wide = i,
                                     .some = 1,
                                     .way = is_real ? DRAW_RANGE : DRAW_ODD,
                                     .digits = digits,
                                     .one_bytes = 2,
                                     .bits = digits};
        values[i] = malloc(elements[i] * sizeof *values[i]);
        draw_elements(&spec[i], key, 0, elements[i], values[i]);
    }
    for (int32_t i = 0; i < size.m; i++) {
        for (int32_t j = 0; j < size.n; j++) {
            for (int32_t k = 0; k < size.k; k++) {
                c[i * size.n + j] += (float)(draw_small_value(digits, values[0][i * size.k + k]) *
                                             draw_small_value(digits, values[1][k * size.n + j]));
            }
        }
    }
    ck_assert_int_eq(timed_check_new(size, 1, PRECISION_FP32, &check, NULL), STATUS_OK);
    timed_check_draw(check, element, spec);
    for (int spoilt = 0; spoilt < 2; spoilt++) {
        const void *outputs[TIMED_SIDES] = {c, NULL};
        c[count - 1] += spoilt ? 1.0f : 0.0f;
        timed_check_start(check, is_real ? TIMED_REAL : TIMED_EXACT, key, secret, outputs, 0);
        timed_check_wait(check, wrong);
        ck_assert_int_eq(wrong[0], spoilt ? 0 : -1);
    }
    timed_check_free(check);
    free(values[1]);
    free(values[0]);
    free(c);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("timed_check");
    TCase *tests = tcase_create("timed_check");
    tcase_add_loop_test(tests, a_right_product_passes_and_one_wrong_element_does_not, 0,
                        SIZE_COUNT);
    tcase_add_test(tests, the_first_wrong_launch_of_a_batch_is_told);
    tcase_add_test(tests, a_replayed_output_of_other_inputs_is_wrong_and_a_missing_side_is_not);
    tcase_add_test(tests, the_keys_of_a_batch_differ_and_the_first_is_the_key_itself);
    tcase_add_loop_test(tests, a_product_of_real_inputs_passes_in_any_order_and_not_with_fewer_bits,
                        0, SIZE_COUNT);
    tcase_add_loop_test(tests, one_wrong_element_of_a_real_product_is_seen_with_its_row, 0,
                        SIZE_COUNT);
    tcase_add_test(tests, narrow_factors_pass_where_the_exercise_allows_them);
    tcase_add_loop_test(tests, products_of_drawn_small_numbers_are_verified_too, 0, 2 * SIZE_COUNT);
    suite_add_tcase(suite, tests);
    return suite;
}

// Freivalds' test of timed outputs: right ones pass for every shape, one wrong element in any place
// of any launch of a batch is noticed, and so is a value that is not an integer.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/exact_inputs.h"
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
    timed_check_start(check, key, secret, outputs, stride);
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
    ck_assert_int_eq(timed_check_new(size, 1, &check, NULL), STATUS_OK);
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
    ck_assert_int_eq(timed_check_new(size, BATCH, &check, NULL), STATUS_OK);
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
    ck_assert_int_eq(timed_check_new(size, 1, &check, NULL), STATUS_OK);
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

int main(void) {
    Suite *suite = suite_create("timed_check");
    TCase *tests = tcase_create("timed_check");
    tcase_add_loop_test(tests, a_right_product_passes_and_one_wrong_element_does_not, 0,
                        SIZE_COUNT);
    tcase_add_test(tests, the_first_wrong_launch_of_a_batch_is_told);
    tcase_add_test(tests, a_replayed_output_of_other_inputs_is_wrong_and_a_missing_side_is_not);
    tcase_add_test(tests, the_keys_of_a_batch_differ_and_the_first_is_the_key_itself);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}

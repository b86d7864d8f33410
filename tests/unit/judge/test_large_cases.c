// Sizes of large cases, of an exercise with one size, for which no worker is asked.
#include <stdio.h>
#include <string.h>

#include "judge/run/large_cases.h"
#include "suite.h"

#define LARGEST (1 << 20)  // that exercise.ini names

static const struct seed seed_one = {{1, 2}};
static const struct seed seed_two = {{1, 3}};

static struct exercise exercise_of(enum parameter_role counted, const char *extent) {
    struct exercise exercise;
    memset(&exercise, 0, sizeof exercise);
    (void)snprintf(exercise.name, sizeof exercise.name, "copy");
    exercise.tile = 16;
    struct signature *signature = &exercise.signature;
    signature->size_count = 1;
    (void)snprintf(signature->size_name[0], sizeof signature->size_name[0], "N");
    signature->parameter_count = 2;
    for (int i = 0; i < 2; i++) {
        struct parameter *parameter = &signature->parameter[i];
        parameter->kind = PARAMETER_ARRAY;
        parameter->element = ELEMENT_FLOAT;
        parameter->role = i == 0 ? ROLE_IN : ROLE_OUT;
        parameter->rank = 1;
        bool is_counted = parameter->role == counted;
        (void)snprintf(parameter->extent[0], EXPRESSION_BYTES, "%s", is_counted ? extent : "1");
    }
    exercise.case_count = 1;
    exercise.cases[0].size = (struct size){.m = 1000};
    exercise.timed_count = 1;
    exercise.timed[0].size = (struct size){.m = LARGEST};
    return exercise;
}

// Plans the cases of a kernel that made so many steps at N = 1000.
static int plan(const struct exercise *exercise, struct seed seed, uint64_t steps,
                struct planned_case cases[LARGE_CASES_MAX]) {
    const struct run_program program = {.kind = DEVICE_EMU, .exercise = exercise};
    const struct planned_case known = {.size = {.m = 1000}};
    const struct passed_cases passed = {1, &known, &steps};
    struct run_worker worker;
    int count = 0;
    run_worker_init(&worker, &program);
    ck_assert_int_eq(large_cases_plan(&worker, seed, &passed, cases, &count, NULL), STATUS_OK);
    return count;
}

static void range_check(const struct exercise *exercise, int times) {
    struct planned_case cases[LARGE_CASES_MAX];
    ck_assert_int_eq(plan(exercise, seed_one, 3000, cases), 1);
    ck_assert_int_gt(cases[0].size.m * times, 1 << 18);
    ck_assert_int_le(cases[0].size.m * times, 5 << 16);
    ck_assert(cases[0].is_large && cases[0].inputs == INPUTS_EXACT);
}

START_TEST(there_are_more_elements_than_18_bits_can_number) {
    struct exercise of_outputs = exercise_of(ROLE_OUT, "N");
    struct exercise of_inputs = exercise_of(ROLE_IN, "N");
    struct exercise twice = exercise_of(ROLE_OUT, "2*N");
    range_check(&of_outputs, 1);
    range_check(&of_inputs, 1);
    range_check(&twice, 2);
}
END_TEST

START_TEST(sizes_follow_from_the_seed) {
    struct exercise exercise = exercise_of(ROLE_OUT, "N");
    struct planned_case one[LARGE_CASES_MAX], again[LARGE_CASES_MAX], two[LARGE_CASES_MAX];
    (void)plan(&exercise, seed_one, 3000, one);
    (void)plan(&exercise, seed_one, 3000, again);
    (void)plan(&exercise, seed_two, 3000, two);
    ck_assert_int_eq(one[0].size.m, again[0].size.m);
    ck_assert_int_ne(one[0].size.m, two[0].size.m);
}
END_TEST

START_TEST(no_size_is_above_those_of_the_exercise) {
    struct exercise exercise = exercise_of(ROLE_OUT, "N");
    struct planned_case cases[LARGE_CASES_MAX];
    exercise.timed_count = 0;
    ck_assert_int_eq(plan(&exercise, seed_one, 3000, cases), 0);
    exercise.counted_count = 1;
    exercise.counted[0].size = (struct size){.m = 200000};  // above 2^16, not above 2^18
    ck_assert_int_eq(plan(&exercise, seed_one, 3000, cases), 1);
    ck_assert_int_gt(cases[0].size.m, 1 << 16);
    ck_assert_int_lt(cases[0].size.m, 5 << 14);
}
END_TEST

START_TEST(a_slow_kernel_gets_smaller_ones_or_none) {
    struct exercise exercise = exercise_of(ROLE_OUT, "N");
    struct planned_case cases[LARGE_CASES_MAX];
    ck_assert_int_eq(plan(&exercise, seed_one, LARGE_STEPS / 800, cases), 1);
    ck_assert_int_lt(cases[0].size.m, 5 << 14);
    ck_assert_int_eq(plan(&exercise, seed_one, LARGE_STEPS / 4, cases), 0);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("large_cases");
    TCase *tests = tcase_create("sizes");
    tcase_add_test(tests, there_are_more_elements_than_18_bits_can_number);
    tcase_add_test(tests, sizes_follow_from_the_seed);
    tcase_add_test(tests, no_size_is_above_those_of_the_exercise);
    tcase_add_test(tests, a_slow_kernel_gets_smaller_ones_or_none);
    suite_add_tcase(suite, tests);
    return suite;
}

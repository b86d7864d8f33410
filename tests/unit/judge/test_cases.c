// The plan of cases: what is in it, in which order, and that it follows from the seed.
#include <stdio.h>
#include <string.h>

#include "judge/run/case_sizes.h"
#include "suite.h"

#define COST_MAX 2000000  // as on the CPU device

static const struct seed seed_one = {{1, 2}};
static const struct seed seed_two = {{1, 3}};

static struct exercise exercise_of(int32_t tile) {
    struct exercise exercise;
    memset(&exercise, 0, sizeof exercise);
    (void)snprintf(exercise.name, sizeof exercise.name, "tiled");
    exercise.signature = *signature_of_matmul();
    exercise.tile = tile;
    exercise.case_count = 3;
    exercise.cases[0].size = (struct size){1, 1, 1};
    exercise.cases[1].size = (struct size){67, 33, 129};
    exercise.cases[2].size = (struct size){500, 500, 500};  // above COST_MAX
    return exercise;
}

static int plan(int32_t tile, struct seed seed, struct planned_case cases[CASES_MAX]) {
    struct exercise exercise = exercise_of(tile);
    return cases_plan(&exercise, seed, NULL, 0, COST_MAX, cases);
}

static bool holds(const struct planned_case *cases, int count, enum inputs_kind inputs, int32_t m,
                  int32_t n, int32_t k) {
    for (int i = 0; i < count; i++) {
        struct size size = cases[i].size;
        if (cases[i].inputs == inputs && size.m == m && size.n == n && size.k == k) {
            return true;
        }
    }
    return false;
}

START_TEST(a_plan_holds_what_it_promises) {
    const int32_t tiles[] = {1, 8, 16, 32, 64};
    for (size_t t = 0; t < sizeof tiles / sizeof tiles[0]; t++) {
        struct planned_case cases[CASES_MAX];
        int32_t tile = tiles[t];
        int count = plan(tile, seed_one, cases);
        int real = 0;
        ck_assert_int_ge(count, 20);
        ck_assert_int_le(count, 42);
        ck_assert(holds(cases, count, INPUTS_EXACT, 1, 1, 1));
        ck_assert(holds(cases, count, INPUTS_EXACT, 67, 33, 129));  // from exercise.ini
        ck_assert(!holds(cases, count, INPUTS_EXACT, 500, 500, 500));
        ck_assert(holds(cases, count, INPUTS_EXACT, tile, tile, tile));
        ck_assert(holds(cases, count, INPUTS_EXACT, tile + 1, tile + 1, tile + 1));
        ck_assert(holds(cases, count, INPUTS_EXACT, 1, 97, 53));
        ck_assert(holds(cases, count, INPUTS_EXACT, 64, 64, 64));
        for (int i = 0; i < count; i++) {
            ck_assert_uint_le(size_multiply_adds(cases[i].size), COST_MAX);
            real += cases[i].inputs == INPUTS_REAL;
        }
        ck_assert_int_ge(real, 4);  // three, and one or two of drawn sizes
        ck_assert_int_le(real, 5);
        ck_assert(holds(cases, count, INPUTS_BINADES, 33, 29, 31));
    }
}
END_TEST

START_TEST(each_dimension_is_ragged_alone_and_k_is_1_once) {
    struct planned_case cases[CASES_MAX];
    int count = plan(16, seed_one, cases);
    ck_assert(holds(cases, count, INPUTS_EXACT, 17, 16, 16));
    ck_assert(holds(cases, count, INPUTS_EXACT, 16, 17, 16));
    ck_assert(holds(cases, count, INPUTS_EXACT, 16, 16, 33));
    ck_assert(holds(cases, count, INPUTS_EXACT, 15, 15, 15));
    ck_assert(holds(cases, count, INPUTS_EXACT, 17, 15, 1));
    ck_assert(holds(cases, count, INPUTS_EXACT, 33, 31, 31));
}
END_TEST

START_TEST(cases_are_sorted_by_cost_and_different) {
    struct planned_case cases[CASES_MAX];
    int count = plan(16, seed_one, cases);
    for (int i = 1; i < count; i++) {
        ck_assert_uint_le(size_multiply_adds(cases[i - 1].size), size_multiply_adds(cases[i].size));
        for (int j = 0; j < i; j++) {
            bool same = memcmp(&cases[i].size, &cases[j].size, sizeof(struct size)) == 0 &&
                        cases[i].inputs == cases[j].inputs;
            ck_assert(!same || cases[i].range != cases[j].range);
            ck_assert(same || memcmp(&cases[i].key, &cases[j].key, sizeof(struct random_key)) != 0);
        }
    }
}
END_TEST

START_TEST(a_plan_follows_from_the_seed) {
    struct planned_case one[CASES_MAX];
    struct planned_case again[CASES_MAX];
    struct planned_case two[CASES_MAX];
    int count = plan(16, seed_one, one);
    ck_assert_int_eq(plan(16, seed_one, again), count);
    for (int i = 0; i < count; i++) {
        ck_assert_mem_eq(&one[i].size, &again[i].size, sizeof(struct size));
        ck_assert_mem_eq(&one[i].key, &again[i].key, sizeof(struct random_key));
    }
    int count_two = plan(16, seed_two, two);
    int fresh = 0;
    for (int i = 0; i < count_two; i++) {
        struct size size = two[i].size;
        fresh += !holds(one, count, two[i].inputs, size.m, size.n, size.k);
    }
    ck_assert_int_ge(fresh, 3);  // four sizes, of which two may be the same
    ck_assert_int_le(fresh, 9);  // and two with real inputs, two with many binades, one sparse
}
END_TEST

START_TEST(a_case_made_for_its_size_is_that_of_the_plan_also_in_its_precision) {
    struct exercise exercise = exercise_of(16);
    struct planned_case cases[CASES_MAX];
    exercise.precision = PRECISION_FP16;
    int count = cases_plan(&exercise, seed_one, NULL, 0, COST_MAX, cases);
    ck_assert_int_gt(count, 0);
    for (int i = 0; i < count; i++) {
        struct planned_case made = case_of(&exercise, seed_one, cases[i].inputs, cases[i].size);
        ck_assert_int_eq(made.precision, PRECISION_FP16);
        ck_assert_int_eq(cases[i].precision, PRECISION_FP16);
        ck_assert(memcmp(&made.key, &cases[i].key, sizeof made.key) == 0);
    }
}
END_TEST

START_TEST(one_size_is_planned_exact_and_real_whatever_it_costs) {
    struct planned_case one[CASES_MAX];
    struct planned_case cases[CASES_MAX];
    struct exercise exercise = exercise_of(16);
    struct size only = {67, 33, 129};
    int count = plan(16, seed_one, cases);
    ck_assert_int_eq(cases_plan(&exercise, seed_one, &only, 1, 10, one), 7);
    ck_assert_int_eq(one[0].inputs, INPUTS_EXACT);
    ck_assert_int_eq(one[1].inputs, INPUTS_REAL);
    ck_assert_int_eq(one[2].inputs, INPUTS_BINADES);
    ck_assert_int_eq(one[5].inputs, INPUTS_BINADES);
    ck_assert_uint_eq(one[5].range, 3);
    ck_assert_int_eq(one[6].inputs, INPUTS_SPARSE);
    for (int i = 0; i < count; i++) {  // repeated by its size, a case has the same inputs
        if (memcmp(&cases[i].size, &only, sizeof only) == 0 && cases[i].inputs == INPUTS_EXACT) {
            ck_assert_mem_eq(&cases[i].key, &one[0].key, sizeof(struct random_key));
        }
    }
}
END_TEST

START_TEST(a_tight_limit_leaves_the_small_cases) {
    struct planned_case cases[CASES_MAX];
    struct exercise exercise = exercise_of(64);
    int count = cases_plan(&exercise, seed_one, NULL, 0, 100, cases);
    ck_assert_int_ge(count, 1);
    ck_assert(holds(cases, count, INPUTS_EXACT, 1, 1, 1));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("cases");
    TCase *tests = tcase_create("cases");
    tcase_add_test(tests, a_plan_holds_what_it_promises);
    tcase_add_test(tests, each_dimension_is_ragged_alone_and_k_is_1_once);
    tcase_add_test(tests, cases_are_sorted_by_cost_and_different);
    tcase_add_test(tests, a_plan_follows_from_the_seed);
    tcase_add_test(tests, a_case_made_for_its_size_is_that_of_the_plan_also_in_its_precision);
    tcase_add_test(tests, one_size_is_planned_exact_and_real_whatever_it_costs);
    tcase_add_test(tests, a_tight_limit_leaves_the_small_cases);
    suite_add_tcase(suite, tests);
    return suite;
}

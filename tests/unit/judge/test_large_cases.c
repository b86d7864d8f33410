// Sizes of large cases, of exercises with one size and with two, for grids that grow and grids that
// do not.
#include <stdio.h>
#include <string.h>

#include "judge/run/large_cases.h"
#include "judge/run/part_cases.h"
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

// A block for each part of so many elements, up to a number of blocks.
struct parts {
    uint64_t elements;
    uint64_t most;
};

static enum status blocks_of(void *asked, struct size size, struct asked_grid *ret_shape,
                             struct error *err) {
    const struct parts *parts = asked;
    const uint64_t blocks = ((uint64_t)size.m + parts->elements - 1) / parts->elements;
    (void)err;
    *ret_shape = (struct asked_grid){.is_valid = true,
                                     .blocks = blocks < parts->most ? blocks : parts->most};
    ret_shape->grid[0] = (uint32_t)ret_shape->blocks;
    ret_shape->threads = 32 * ret_shape->blocks;
    return STATUS_OK;
}

// Plans the cases of a kernel that made so many steps at N = 1000.
static int plan_parts(const struct exercise *exercise, struct seed seed, uint64_t steps,
                      bool hands_over, struct parts parts,
                      struct planned_case cases[LARGE_CASES_MAX]) {
    const struct planned_case known = {.size = {.m = 1000}};
    const struct passed_cases passed = {1, &known, &steps, hands_over, {0}};
    struct large_cases large;
    enum status status = large_cases_plan(exercise, seed, &passed, blocks_of, &parts, &large, NULL);
    ck_assert_int_eq(status, STATUS_OK);
    memcpy(cases, large.list, sizeof large.list);
    return large.count;
}

static int plan_grid(const struct exercise *exercise, struct seed seed, uint64_t steps,
                     uint64_t blocks, struct planned_case cases[LARGE_CASES_MAX]) {
    return plan_parts(exercise, seed, steps, false, (struct parts){1000, blocks}, cases);
}

static int plan(const struct exercise *exercise, struct seed seed, uint64_t steps,
                struct planned_case cases[LARGE_CASES_MAX]) {
    return plan_grid(exercise, seed, steps, UINT64_MAX, cases);
}

static void range_check(const struct exercise *exercise, int times, int from) {
    struct planned_case cases[LARGE_CASES_MAX];
    ck_assert_int_eq(plan(exercise, seed_one, 3000, cases), 1);
    ck_assert_int_gt(cases[0].size.m * times, from);
    ck_assert_int_le(cases[0].size.m * times, from / 4 * 5);
    ck_assert(cases[0].is_large && cases[0].inputs == INPUTS_EXACT);
}

START_TEST(there_are_more_elements_than_18_bits_can_number) {
    struct exercise of_outputs = exercise_of(ROLE_OUT, "N");
    struct exercise of_inputs = exercise_of(ROLE_IN, "N");
    struct exercise twice = exercise_of(ROLE_OUT, "2*N");
    range_check(&of_outputs, 1, 1 << 18);
    range_check(&of_inputs, 1, 1 << 19);
    range_check(&twice, 2, 1 << 18);
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

START_TEST(blocks_that_take_turns_begin_a_third_one) {
    struct exercise exercise = exercise_of(ROLE_OUT, "N");
    struct planned_case cases[LARGE_CASES_MAX];
    for (uint64_t draw = 0; draw < 50; draw++) {
        const struct seed seed = {{draw, 5}};
        ck_assert_int_eq(plan_grid(&exercise, seed, 3000, 100, cases), 2);
        ck_assert_int_gt(cases[0].size.m, 200 * 1000);
        ck_assert_int_lt(cases[0].size.m, 300 * 1000 - 1000);
    }
    // One block; turns that are too long, for the exercise or for the case.
    ck_assert_int_eq(plan_grid(&exercise, seed_one, 3000, 1, cases), 1);
    ck_assert_int_eq(plan_grid(&exercise, seed_one, 3000, 600, cases), 1);
    exercise.timed[0].size.m = 100 * LARGEST;
    ck_assert_int_eq(plan_grid(&exercise, seed_one, 3000, 600, cases), 2);
    ck_assert_int_gt(cases[0].size.m, 1200 * 1000);
    ck_assert_int_eq(plan_grid(&exercise, seed_one, 3000, 6000, cases), 1);
}
END_TEST

START_TEST(the_last_block_looks_back_at_more_than_a_warp_of_blocks) {
    struct exercise exercise = exercise_of(ROLE_OUT, "N");
    struct planned_case cases[LARGE_CASES_MAX];
    const struct parts large = {12000, UINT64_MAX};
    const struct parts small = {1000, UINT64_MAX};
    const struct parts huge = {100000, UINT64_MAX};
    const struct parts few = {12000, 33};
    ck_assert_int_eq(plan_parts(&exercise, seed_one, 3000, true, large, cases), 1);
    ck_assert(cases[0].newest_first);
    ck_assert_int_gt(cases[0].size.m, 34 * 12000);
    ck_assert_int_lt(cases[0].size.m, 37 * 12000);
    // Kernels of which many elements are many blocks; whose blocks hand nothing over; of which so
    // many blocks are too large, for the exercise or to run.
    ck_assert_int_eq(plan_parts(&exercise, seed_one, 3000, true, small, cases), 1);
    ck_assert(cases[0].newest_first);
    ck_assert_int_lt(cases[0].size.m, 5 << 16);
    ck_assert_int_eq(plan_parts(&exercise, seed_one, 3000, false, large, cases), 1);
    ck_assert(!cases[0].newest_first);
    ck_assert_int_lt(cases[0].size.m, 5 << 16);
    ck_assert_int_eq(plan_parts(&exercise, seed_one, 3000, true, huge, cases), 1);
    ck_assert_int_lt(cases[0].size.m, 5 << 16);
    ck_assert_int_eq(plan_parts(&exercise, seed_one, 100000, true, large, cases), 1);
    ck_assert_int_lt(cases[0].size.m, 5 << 14);
    // The first case of a grid that stops growing is that of the turns.
    ck_assert_int_eq(plan_parts(&exercise, seed_one, 3000, true, few, cases), 2);
    ck_assert(!cases[0].newest_first && cases[1].newest_first);
    ck_assert_int_lt(cases[1].size.m, 5 << 16);
}
END_TEST

START_TEST(the_exercise_may_say_how_large_a_size_may_be) {
    struct exercise exercise = exercise_of(ROLE_OUT, "N");
    struct planned_case cases[LARGE_CASES_MAX];
    exercise.timed_count = 0;
    exercise.largest = 300000;
    ck_assert_int_eq(plan(&exercise, seed_one, 3000, cases), 1);
    ck_assert_int_gt(cases[0].size.m, 1 << 18);
    ck_assert_int_eq(plan_grid(&exercise, seed_one, 3000, 60, cases), 2);
}
END_TEST

// Tiles of so many rows and columns.
struct tiles {
    int32_t rows, columns;
};

static int32_t tiles_in(int32_t length, int32_t tile) {
    return (length + tile - 1) / tile;
}

static enum status tiles_of(void *asked, struct size size, struct asked_grid *ret_shape,
                            struct error *err) {
    const struct tiles *tiles = asked;
    const uint64_t rows = (uint64_t)tiles_in(size.m, tiles->rows);
    const uint64_t columns = (uint64_t)tiles_in(size.n, tiles->columns);
    (void)err;
    *ret_shape = (struct asked_grid){.is_valid = true, .blocks = rows * columns};
    ret_shape->grid[0] = (uint32_t)columns;
    ret_shape->grid[1] = (uint32_t)rows;
    ret_shape->threads = 32 * ret_shape->blocks;
    return STATUS_OK;
}

static int plan_tiles(uint64_t draw, uint64_t steps, struct tiles tiles,
                      struct planned_case cases[LARGE_CASES_MAX]) {
    struct exercise exercise = exercise_of(ROLE_OUT, "H");
    struct signature *signature = &exercise.signature;
    const struct seed seed = {{draw, 6}};
    const struct planned_case known = {.size = {.m = 64, .n = 64}};
    const struct passed_cases passed = {1, &known, &steps, false, {0}};
    struct large_cases large;
    signature->size_count = 2;
    (void)snprintf(signature->size_name[0], sizeof signature->size_name[0], "H");
    (void)snprintf(signature->size_name[1], sizeof signature->size_name[1], "W");
    signature->parameter[1].rank = 2;
    (void)snprintf(signature->parameter[1].extent[1], EXPRESSION_BYTES, "W");
    exercise.cases[0].size = known.size;
    exercise.timed[0].size = (struct size){.m = 4096, .n = 4096};
    enum status status = large_cases_plan(&exercise, seed, &passed, tiles_of, &tiles, &large, NULL);
    ck_assert_int_eq(status, STATUS_OK);
    memcpy(cases, large.list, sizeof large.list);
    return large.count;
}

START_TEST(the_last_group_of_tiles_is_not_whole) {
    struct planned_case cases[LARGE_CASES_MAX];
    int tall = 0, fit = 0;
    for (uint64_t draw = 0; draw < 50; draw++) {
        const struct tiles tiles = {128, 64};
        ck_assert_int_eq(plan_tiles(draw, 4096, tiles, cases), 4);
        const bool is_tall = cases[0].size.m > cases[0].size.n;
        // The wide case of one direction, and of the other one.
        ck_assert_int_gt(cases[0].size.m * cases[0].size.n, 1 << 18);
        ck_assert(cases[0].size.m > 256 && cases[0].size.n > 256);
        ck_assert(is_tall != (cases[2].size.m > cases[2].size.n));
        for (int i = 0; i < 3; i += 2) {
            const int32_t rows = tiles_in(cases[i].size.m, tiles.rows);
            const int32_t columns = tiles_in(cases[i].size.n, tiles.columns);
            const bool is_long = cases[i].size.m > cases[i].size.n;
            ck_assert_int_eq((is_long ? rows : columns) % 2, 1);
            ck_assert_int_gt(is_long ? rows : columns, 8);
            ck_assert_int_ge(is_long ? columns : rows, 2);
            // One size is odd, the other fits loads of 16 bytes.
            ck_assert_int_eq(cases[i].size.m % 2 + cases[i].size.n % 2, 1);
            ck_assert(cases[i].size.m % 4 == 0 || cases[i].size.n % 4 == 0);
        }
        tall += is_tall;
        fit += cases[0].size.m % tiles.rows == 0 || cases[0].size.n % tiles.columns == 0;
    }
    ck_assert(tall > 10 && tall < 40);
    ck_assert(fit > 10 && fit < 50);
}
END_TEST

START_TEST(a_kernel_that_is_slow_gets_fewer_elements_but_no_shorter_rows) {
    struct planned_case cases[LARGE_CASES_MAX];
    const struct tiles tiles = {16, 16};
    ck_assert_int_gt(plan_tiles(1, 40 * 4096, tiles, cases), 0);
    ck_assert_int_gt(cases[0].size.m * cases[0].size.n, 1 << 16);
    ck_assert_int_lt(cases[0].size.m * cases[0].size.n, 1 << 18);
    ck_assert(cases[0].size.m > 1024 || cases[0].size.n > 1024);
    ck_assert_int_eq(plan_tiles(1, 400 * 4096, tiles, cases), 0);
}
END_TEST

START_TEST(constants_are_whole_numbers_that_the_stub_has_not) {
    const char *stub = "#define TILE 64\nfloat x[0x20];";
    const char *text =
        "#define TILE 64\nfloat x[32]; // 77\n"
        "if (N >= 1'024u || M > 0x18 || K == 2.0e3f || K == 8 || N == 512.0) { f(512, 1024); }";
    struct constants constants = constants_find(text, stub);
    ck_assert_int_eq(constants.count, 3);
    ck_assert_int_eq(constants.value[0], 1024);
    ck_assert_int_eq(constants.value[1], 24);
    ck_assert_int_eq(constants.value[2], 512);
    ck_assert_int_eq(constants_find(stub, stub).count, 0);
}
END_TEST

// The cases that are planned only for constants.
static int plan_constant(int32_t constant, struct parts parts,
                         struct planned_case cases[LARGE_CASES_MAX]) {
    struct exercise exercise = exercise_of(ROLE_OUT, "N");
    const uint64_t steps = 3000;
    const struct planned_case known = {.size = {.m = 1000}};
    const struct passed_cases passed = {1, &known, &steps, false, {1, {constant}}};
    struct large_cases large;
    struct planned_case usual[LARGE_CASES_MAX];
    enum status status =
        large_cases_plan(&exercise, seed_one, &passed, blocks_of, &parts, &large, NULL);
    ck_assert_int_eq(status, STATUS_OK);
    const int before = plan_parts(&exercise, seed_one, steps, false, parts, usual);
    ck_assert_int_eq(memcmp(usual, large.list, (size_t)before * sizeof *usual), 0);
    memcpy(cases, &large.list[before], (size_t)(large.count - before) * sizeof *cases);
    return large.count - before;
}

START_TEST(sizes_are_at_the_constants_of_the_file) {
    struct planned_case cases[LARGE_CASES_MAX];
    int below = 0, same = 0, above = 0;
    const int count = plan_constant(5000, (struct parts){100, UINT64_MAX}, cases);
    ck_assert_int_gt(count, 3);
    for (int i = 0; i < count; i++) {
        const int32_t n = cases[i].size.m;
        ck_assert(n == 500001 || (n >= 4999 && n <= 5016));  // as many blocks, or elements
        below += n == 4999;
        same += n == 5000;
        above += n > 5000 && n < 5017;
    }
    ck_assert(below == 1 && same == 1 && above > 1);
    // More blocks, and more elements, than the exercise has.
    ck_assert_int_eq(plan_constant(1 << 22, (struct parts){100, UINT64_MAX}, cases), 0);
}
END_TEST

START_TEST(another_timed_size_than_the_largest_is_drawn) {
    struct exercise exercise = exercise_of(ROLE_OUT, "N");
    int seen[3] = {0};
    exercise.timed_count = 3;
    exercise.timed[0].size.m = 10;
    exercise.timed[1].size.m = 30;
    exercise.timed[2].size.m = 20;
    for (uint64_t draw = 0; draw < 50; draw++) {
        seen[part_drawn(&exercise, (struct seed){{draw, 1}})]++;
    }
    ck_assert(seen[0] > 0 && seen[1] == 0 && seen[2] > 0);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("large_cases");
    TCase *tests = tcase_create("sizes");
    tcase_add_test(tests, there_are_more_elements_than_18_bits_can_number);
    tcase_add_test(tests, sizes_follow_from_the_seed);
    tcase_add_test(tests, no_size_is_above_those_of_the_exercise);
    tcase_add_test(tests, a_slow_kernel_gets_smaller_ones_or_none);
    tcase_add_test(tests, blocks_that_take_turns_begin_a_third_one);
    tcase_add_test(tests, the_last_block_looks_back_at_more_than_a_warp_of_blocks);
    tcase_add_test(tests, the_exercise_may_say_how_large_a_size_may_be);
    tcase_add_test(tests, the_last_group_of_tiles_is_not_whole);
    tcase_add_test(tests, a_kernel_that_is_slow_gets_fewer_elements_but_no_shorter_rows);
    tcase_add_test(tests, constants_are_whole_numbers_that_the_stub_has_not);
    tcase_add_test(tests, sizes_are_at_the_constants_of_the_file);
    tcase_add_test(tests, another_timed_size_than_the_largest_is_drawn);
    suite_add_tcase(suite, tests);
    return suite;
}

// Counted work against the reference's: which kind of work decides.
#include "judge/model/points.h"
#include "judge/run/case_sizes.h"
#include "suite.h"  // last: Check has a macro called fail

// The global work of three steps of the ladder at 512, as measured with Nsight Compute.
static const struct counts naive = {
    .blocks = 1024,
    .global_load_sectors = 16777216,
    .global_store_sectors = 32768,
    .global_load_bytes = 1073741824,
    .global_store_bytes = 1048576,
};
static const struct counts tiled = {
    .blocks = 1024,
    .global_load_sectors = 2097152,
    .global_store_sectors = 32768,
    .global_load_bytes = 67108864,
    .global_store_bytes = 1048576,
    .shared_load_wavefronts = 8388608,
    .shared_store_wavefronts = 524288,
};

START_TEST(work_below_that_of_any_product_is_not_all_of_it) {
    struct size size = {.m = 512, .n = 512, .k = 512};
    struct counts least = {
        .global_load_bytes = 4 * 2 * 512 * 512, .global_store_bytes = 4 * 512 * 512, .blocks = 1};
    ck_assert(counted_is_complete(signature_of_matmul(), size, &least));
    ck_assert(counted_is_complete(signature_of_matmul(), size, &tiled));
    least.global_load_bytes--;
    ck_assert(!counted_is_complete(signature_of_matmul(), size, &least));
    least.global_load_bytes++;
    least.global_store_bytes--;
    ck_assert(!counted_is_complete(signature_of_matmul(), size, &least));
}
END_TEST

// Blocks of 16 x 16 elements need at least the loads of tiles of that size, unless one block keeps
// what it loaded for the next, which no GPU does.
START_TEST(blocks_that_load_too_little_for_their_size_are_not_all_of_the_work) {
    struct size size = {.m = 512, .n = 512, .k = 512};
    struct counts counts = tiled;  // exactly what tiles of 16 need
    ck_assert(counted_is_complete(signature_of_matmul(), size, &counts));
    counts.global_load_bytes = tiled.global_load_bytes / 2;  // some blocks have nothing to do
    ck_assert(counted_is_complete(signature_of_matmul(), size, &counts));
    counts.global_load_bytes = tiled.global_load_bytes / 2 - 1;
    ck_assert(!counted_is_complete(signature_of_matmul(), size, &counts));
    counts.blocks = 64;  // of 64 x 64 elements, a quarter is right
    ck_assert(counted_is_complete(signature_of_matmul(), size, &counts));
    counts.blocks = 64 * 256;  // most of them idle
    ck_assert(!counted_is_complete(signature_of_matmul(), size, &counts));
    counts.working_blocks = 64;
    ck_assert(counted_is_complete(signature_of_matmul(), size, &counts));
    counts.working_blocks = 0;
    counts.blocks = 0;
    ck_assert(!counted_is_complete(signature_of_matmul(), size, &counts));
}
END_TEST

START_TEST(the_seed_draws_one_of_sixteen_sizes) {
    struct exercise exercise = {.name = "tiled", .counted_count = 2};
    exercise.signature = *signature_of_matmul();
    struct size seen[32];
    int count = 0;
    exercise.counted[0] = (struct exercise_speed){{512, 512, 512}, 0.95, 0.3, 2};
    exercise.counted[1] = (struct exercise_speed){{500, 500, 500}, 0.9, 0.2, 1};
    for (uint64_t i = 0; i < 256; i++) {
        const struct seed seed = {{i << 56}};
        const struct seed of_the_same_class = {{i << 56 | 7, i + 1}};
        struct exercise_speed drawn = counted_drawn(&exercise, seed);
        ck_assert(size_equal(drawn.size, counted_drawn(&exercise, of_the_same_class).size));
        ck_assert(drawn.full == 0.95 && drawn.zero == 0.3);
        ck_assert_uint_le(size_multiply_adds(drawn.size), 66100000);
        int at = 0;
        while (at < count && !size_equal(seen[at], drawn.size)) {
            at++;
        }
        ck_assert_int_lt(at, 16);
        seen[at] = drawn.size;
        count = at == count ? count + 1 : count;
    }
    ck_assert_int_eq(count, 16);
    exercise.counted_count = 1;
    exercise.counted[0].size = (struct size){64, 64, 64};
    for (uint64_t i = 0; i < 50; i++) {
        const struct seed seed = {{i << 56}};
        struct size size = counted_drawn(&exercise, seed).size;
        ck_assert(size.m >= 16 && size.n >= 16 && size.k >= 16);
        ck_assert_uint_le(size_multiply_adds(size), 2 * 64 * 64 * 64);
    }
}
END_TEST

START_TEST(line_with_most_of_a_kind_of_work_is_named) {
    struct counts counts = {.blocks = 1};
    counts.lines.count = 4;
    counts.lines.access[0] =
        (struct count_line){.kind = COUNT_GLOBAL_LOAD, .line = 7, .units = 10, .bytes = 90};
    counts.lines.access[1] =
        (struct count_line){.kind = COUNT_GLOBAL_LOAD, .line = 9, .units = 8, .bytes = 50};
    counts.lines.access[2] =
        (struct count_line){.kind = COUNT_GLOBAL_STORE, .line = 9, .units = 8, .bytes = 30};
    counts.lines.access[3] =
        (struct count_line){.kind = COUNT_SHARED_LOAD, .line = 12, .units = 99};
    ck_assert_uint_eq(counted_line(&counts, COUNTED_SECTORS), 9);  // 16 of load and store
    ck_assert_uint_eq(counted_line(&counts, COUNTED_BYTES), 7);
    ck_assert_uint_eq(counted_line(&counts, COUNTED_WAVEFRONTS), 12);
    counts.lines.count = 0;
    ck_assert_uint_eq(counted_line(&counts, COUNTED_SECTORS), 0);
}
END_TEST

START_TEST(atomic_additions_to_c_are_work_like_stores) {
    struct size size = {.m = 512, .n = 512, .k = 512};
    struct counts split = {.global_load_bytes = 4 * 2 * 512 * 512,
                           .global_atomic_bytes = 4 * 512 * 512,
                           .global_atomic_sectors = 32768,
                           .blocks = 1};
    ck_assert(counted_is_complete(signature_of_matmul(), size, &split));
    ck_assert_uint_eq(counted_work(&split, COUNTED_SECTORS), 32768);
    split.global_atomic_bytes--;
    ck_assert(!counted_is_complete(signature_of_matmul(), size, &split));
}
END_TEST

START_TEST(equal_work_is_exactly_1) {
    enum counted_metric metric;
    ck_assert(counted_ratio(&tiled, &tiled, &metric) == 1.0);
    ck_assert(counted_ratio(&naive, &naive, &metric) == 1.0);
}
END_TEST

START_TEST(sectors_of_loads_and_stores_add_up) {
    struct counts twice = naive;
    twice.global_load_sectors = 2 * naive.global_load_sectors + naive.global_store_sectors;
    enum counted_metric metric;
    ck_assert(counted_ratio(&twice, &naive, &metric) == 0.5);
    ck_assert_int_eq(metric, COUNTED_SECTORS);
}
END_TEST

START_TEST(bank_conflicts_alone_decide) {
    struct counts conflicts = tiled;
    conflicts.shared_load_wavefronts = 4 * tiled.shared_load_wavefronts;
    conflicts.shared_store_wavefronts = 4 * tiled.shared_store_wavefronts;
    enum counted_metric metric;
    ck_assert(counted_ratio(&conflicts, &tiled, &metric) == 0.25);
    ck_assert_int_eq(metric, COUNTED_WAVEFRONTS);
}
END_TEST

START_TEST(a_kernel_without_tiles_is_slow_against_a_tiled_one) {
    enum counted_metric metric;
    double ratio = counted_ratio(&naive, &tiled, &metric);
    ck_assert(ratio < 0.1);
    ck_assert_int_eq(metric, COUNTED_BYTES);  // shared memory, which it avoids, does not decide
}
END_TEST

START_TEST(shared_memory_that_the_reference_does_not_use_is_free) {
    struct counts student = naive;
    student.shared_load_wavefronts = 1000000;
    enum counted_metric metric;
    ck_assert(counted_ratio(&student, &naive, &metric) == 1.0);
}
END_TEST

START_TEST(less_work_than_the_reference_is_above_1_by_the_worst_kind) {
    struct counts student = tiled;
    student.global_load_sectors = tiled.global_load_sectors / 4;
    student.global_load_bytes = tiled.global_load_bytes / 2;
    student.shared_load_wavefronts = 0;
    student.shared_store_wavefronts = 0;
    enum counted_metric metric;
    double ratio = counted_ratio(&student, &tiled, &metric);
    ck_assert_int_eq(metric, COUNTED_BYTES);
    ck_assert(ratio > 1.9 && ratio < 2.0);
}
END_TEST

// The busiest SM has its share of all wavefronts, or those of the largest block.
START_TEST(the_busiest_multiprocessor_has_at_least_the_largest_block) {
    struct counts counts = {.shared_load_wavefronts = 1000,
                            .shared_store_wavefronts = 200,
                            .global_load_wavefronts = 100,
                            .global_store_wavefronts = 20,
                            .block_passes_max = 10};
    ck_assert_uint_eq(counted_busiest(&counts, 132), 10);
    ck_assert_uint_eq(counted_busiest(&counts, 100), 13);
    counts.block_passes_max = 660;  // two blocks; a thousand empty blocks more change nothing
    counts.blocks = 1002;
    ck_assert_uint_eq(counted_busiest(&counts, 132), 660);
    ck_assert_uint_eq(counted_busiest(&counts, 0), 0);
}
END_TEST

START_TEST(few_blocks_are_slow_where_an_exercise_asks_for_many) {
    struct counts few = tiled;
    struct counts many = tiled;
    enum counted_metric metric;
    few.block_passes_max = few.busiest_passes = 4000;
    many.block_passes_max = 1000;
    ck_assert(counted_ratio(&few, &many, &metric) == 1.0);  // this exercise does not ask for it
    many.busiest_passes = 1000;
    ck_assert(counted_ratio(&few, &many, &metric) == 0.25);
    ck_assert_int_eq(metric, COUNTED_BUSIEST);
    ck_assert_uint_eq(counted_line(&few, metric), 0);
}
END_TEST

START_TEST(no_work_at_all_is_1) {
    const struct counts nothing = {0};
    enum counted_metric metric;
    ck_assert(counted_ratio(&nothing, &tiled, &metric) == 1.0);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("counted");
    TCase *tests = tcase_create("ratio");
    tcase_add_test(tests, work_below_that_of_any_product_is_not_all_of_it);
    tcase_add_test(tests, blocks_that_load_too_little_for_their_size_are_not_all_of_the_work);
    tcase_add_test(tests, the_seed_draws_one_of_sixteen_sizes);
    tcase_add_test(tests, line_with_most_of_a_kind_of_work_is_named);
    tcase_add_test(tests, atomic_additions_to_c_are_work_like_stores);
    tcase_add_test(tests, equal_work_is_exactly_1);
    tcase_add_test(tests, sectors_of_loads_and_stores_add_up);
    tcase_add_test(tests, bank_conflicts_alone_decide);
    tcase_add_test(tests, a_kernel_without_tiles_is_slow_against_a_tiled_one);
    tcase_add_test(tests, shared_memory_that_the_reference_does_not_use_is_free);
    tcase_add_test(tests, less_work_than_the_reference_is_above_1_by_the_worst_kind);
    tcase_add_test(tests, no_work_at_all_is_1);
    tcase_add_test(tests, the_busiest_multiprocessor_has_at_least_the_largest_block);
    tcase_add_test(tests, few_blocks_are_slow_where_an_exercise_asks_for_many);
    suite_add_tcase(suite, tests);
    return suite;
}

// The counter: wavefronts of blocks and of asynchronous copies; lanes and warps that take turns.
#include "emu/count/count.h"
#include "emu/count/count_rules.h"

#include "count_rig.h"

START_TEST(the_block_with_most_passes_is_known_and_survives_adding_up) {
    struct counts other = {.block_passes_max = 2, .blocks = 1};
    for (uint32_t i = 0; i < 3; i++) {
        load(0, 128 * i, 1);
    }
    count_block_end(count);
    count_block_begin(count, NULL);
    load(0, 0, 1);
    end();
    ck_assert_uint_eq(counts.block_passes_max, 3);
    counts_add(&other, &counts);
    ck_assert_uint_eq(other.block_passes_max, 3);
    ck_assert_uint_eq(other.blocks, 3);
}
END_TEST

// 32 words from four lines of memory to 32 banks.
static void copy_words(uint32_t site) {
    for (uint32_t thread = 0; thread < 32; thread++) {
        int64_t from = thread / 8 * 128 + thread % 8 * 4;
        struct access read =
            rig_access(&rig, SPACE_GLOBAL, ARRAY_A, from, 4, ACCESS_READ, thread, 1);
        struct access store =
            rig_access(&rig, SPACE_SHARED, 0, thread * 4, 4, ACCESS_WRITE, thread, 1);
        read.site = store.site = site;
        ck_assert(!count_access(count, &read));
        ck_assert(!count_access(count, &store));
    }
    end();
}

// Words of several lines arrive one line after the other; a store has them all at hand.
START_TEST(copies_take_the_passes_of_what_they_read) {
    copy_words(1);
    ck_assert_uint_eq(counts.shared_store_wavefronts, 1);
    ck_assert_uint_eq(counts.async_copies, 0);
    ck_assert_int_eq(count_launch_begin(count, &rig.shape, NULL, NULL), STATUS_OK);
    count_block_begin(count, NULL);
    count_copy_site(count, 1);
    copy_words(1);
    ck_assert_uint_eq(counts.shared_store_wavefronts, 4);
    ck_assert_uint_eq(counts.shared_store_ideal, 1);
    ck_assert_uint_eq(counts.async_copies, 1);
}
END_TEST

// Nine sectors in three lines, of which the first begins in the middle of a sector.
START_TEST(a_bulk_copy_is_one_request_of_all_its_sectors) {
    struct access read = rig_access(&rig, SPACE_GLOBAL, ARRAY_A, 16, 4, ACCESS_READ, 0, 1);
    struct access store = rig_access(&rig, SPACE_SHARED, 0, 0, 4, ACCESS_WRITE, 0, 1);
    count_bulk(count, 1, &read, 272);
    count_bulk(count, 1, &store, 272);
    end();
    ck_assert_uint_eq(counts.global_load_requests, 1);
    ck_assert_uint_eq(counts.global_load_sectors, 9);
    ck_assert_uint_eq(counts.global_load_bytes, 272);
    ck_assert_uint_eq(counts.shared_store_wavefronts, 3);
    ck_assert_uint_eq(counts.bulk_copies, 1);
}
END_TEST

// Rows of 2000 bytes: every second one begins in the middle of a sector.
START_TEST(copies_of_16_bytes_share_no_sector_between_quarters) {
    uint32_t address[WARP_LANES];
    for (uint32_t start = 0; start < 32; start += 16) {
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            address[lane] = 4096 + start + 16 * lane;
        }
        ck_assert_uint_eq(count_sectors(address, 0xffffffffu), start == 0 ? 16 : 17);
        ck_assert_uint_eq(count_copy_sectors(address, 16, 0xffffffffu), start == 0 ? 16 : 20);
        ck_assert_uint_eq(count_copy_sectors(address, 4, 0xffffffffu), start == 0 ? 16 : 17);
    }
}
END_TEST

// --- Turns -------------------------------------------------------------------

// Each lane loads twice, the first time after so many iterations.
static void load_after(uint32_t lane, uint64_t iterations) {
    count_turn(count, lane);
    emu_flops[FLOPS_LOOPS] += iterations;
    load(lane, lane * 4, 1);
    load(lane, lane * 4, 2);
    emu_flops[FLOPS_LOOPS] += 32 - iterations;
}

START_TEST(lanes_in_different_iterations_take_turns) {
    for (uint32_t lane = 0; lane < 32; lane++) {
        load_after(lane, lane);
    }
    end();
    ck_assert_uint_eq(counts.global_load_requests, 2);
    ck_assert_uint_eq(counts.turns, 64);
}
END_TEST

START_TEST(lanes_that_have_met_take_one_turn) {
    for (uint32_t lane = 0; lane < 32; lane++) {
        count_turn(count, lane);
        emu_flops[FLOPS_LOOPS] += 7 * lane;  // before the barrier
    }
    count_barrier(count);
    for (uint32_t lane = 0; lane < 32; lane++) {
        load_after(lane, lane < 16 ? 3 : 4);  // in two turns
    }
    count_barrier(count);
    for (uint32_t lane = 0; lane < 32; lane++) {
        load_after(lane, 5);
    }
    end();
    ck_assert_uint_eq(counts.turns, 4 + 2);
}
END_TEST

// --- What a thread waits for -------------------------------------------------

START_TEST(the_thread_that_idles_longest_is_that_of_its_block) {
    for (uint32_t thread = 0; thread < 64; thread++) {
        count_turn(count, thread);
        emu_flops[FLOPS_IDLE] += thread == 40 ? 700 : 100;
    }
    count_turn(count, 0);
    end();
    ck_assert_uint_eq(counts.idle_ns, 700);
}
END_TEST

START_TEST(a_copy_is_ahead_if_something_was_multiplied_since_it_began) {
    count_async(count, 5);
    count_commit(count, 5);
    count_wait(count, 5, 0);  // for the copy
    count_async(count, 5);
    count_commit(count, 5);
    count->sums.tensor_calls++;
    count_async(count, 5);
    count_commit(count, 5);
    count_wait(count, 5, 1);  // for the older of two
    count_wait(count, 5, 0);  // for the other one
    count_commit(count, 5);   // no copy is in it
    count_wait(count, 5, 1);
    count_wait(count, 5, 9);  // for none
    end();
    ck_assert_uint_eq(counts.copies_awaited, 3);
    ck_assert_uint_eq(counts.copies_ahead, 1);
}
END_TEST

// --- Blocks that are set aside -----------------------------------------------

START_TEST(lanes_of_a_block_that_is_set_aside_go_on_where_they_were) {
    for (uint32_t thread = 0; thread < 16; thread++) {
        load(thread, thread * 4, 1);
    }
    struct count_block *block = count_block_away(count);
    count_block_begin(count, NULL);
    load(0, 0, 1);
    count_block_end(count);
    count_block_back(count, block);
    for (uint32_t thread = 16; thread < 32; thread++) {
        load(thread, thread * 4, 1);
    }
    end();
    ck_assert_uint_eq(counts.global_load_requests, 1 + 1);
    ck_assert_uint_eq(counts.global_load_sectors, 1 + 4);
    ck_assert_uint_eq(counts.blocks, 2);
}
END_TEST

START_TEST(operations_of_a_block_that_is_set_aside_are_its_own) {
    count_turn(count, 1);
    emu_flops[FLOPS_IDLE] += 100;
    struct count_block *block = count_block_away(count);
    count_block_begin(count, NULL);
    count_turn(count, 1);
    emu_flops[FLOPS_IDLE] += 1000;
    count_turn(count, 0);
    count_block_end(count);
    count_block_back(count, block);
    count_turn(count, 1);
    emu_flops[FLOPS_IDLE] += 10;
    count_turn(count, 0);
    end();
    ck_assert_uint_eq(counts.idle_ns, 1000 + 110);
}
END_TEST

// --- Warps -------------------------------------------------------------------

static void compute(uint32_t warp) {
    count_turn(count, warp * WARP_LANES);
    emu_flops[FLOPS_ALL] += 1000;
    count_turn(count, warp * WARP_LANES);
}

START_TEST(warps_between_barriers_work_at_a_time) {
    compute(0);
    compute(1);
    count_barrier(count);
    compute(0);
    compute(1);
    end();
    ck_assert_uint_eq(counts.working_warps, 2);
}
END_TEST

START_TEST(warps_that_work_by_turns_are_one) {
    for (uint32_t warp = 0; warp < 3; warp++) {
        compute(warp);
        count_barrier(count);
    }
    end();
    ck_assert_uint_eq(counts.working_warps, 1);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("count_passes");
    TCase *tests = tcase_create("count_passes");
    tcase_add_checked_fixture(tests, begin, done);
    tcase_add_test(tests, the_block_with_most_passes_is_known_and_survives_adding_up);
    tcase_add_test(tests, copies_take_the_passes_of_what_they_read);
    tcase_add_test(tests, a_bulk_copy_is_one_request_of_all_its_sectors);
    tcase_add_test(tests, copies_of_16_bytes_share_no_sector_between_quarters);
    tcase_add_test(tests, warps_between_barriers_work_at_a_time);
    tcase_add_test(tests, warps_that_work_by_turns_are_one);
    tcase_add_test(tests, lanes_in_different_iterations_take_turns);
    tcase_add_test(tests, lanes_that_have_met_take_one_turn);
    tcase_add_test(tests, the_thread_that_idles_longest_is_that_of_its_block);
    tcase_add_test(tests, a_copy_is_ahead_if_something_was_multiplied_since_it_began);
    tcase_add_test(tests, lanes_of_a_block_that_is_set_aside_go_on_where_they_were);
    tcase_add_test(tests, operations_of_a_block_that_is_set_aside_are_its_own);
    suite_add_tcase(suite, tests);
    return suite;
}

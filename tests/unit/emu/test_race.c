// The race checker: each order that CUDA guarantees to threads of one block, and each that it does
// not.
#include "race_rig.h"

// --- __syncthreads -----------------------------------------------------------

START_TEST(barrier_between_store_and_load_is_clean) {
    store(0, 0);
    race_barrier(race);
    load(40, 0);
    load(41, 0);
    race_barrier(race);
    store(70, 0);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(load_of_another_warp_without_barrier_is_a_race) {
    store(0, 8);
    load(40, 8);
    ck_assert_uint_eq(end(), 1);
    const struct finding *f = only_finding();
    ck_assert_uint_eq(f->kind, FINDING_RACE);
    ck_assert_uint_eq(f->severity, SEVERITY_ERROR);
    ck_assert_uint_eq(f->flags, 0);
    ck_assert_uint_eq(f->pc, STORE);
    ck_assert_uint_eq(f->other_pc, LOAD);
    ck_assert_uint_eq(f->access, ACCESS_WRITE);
    ck_assert_uint_eq(f->other_access, ACCESS_READ);
    ck_assert_uint_eq(f->space, SPACE_SHARED);
    ck_assert_uint_eq(f->array, RIG_TILE);
    ck_assert_int_eq(f->offset, 8);
    ck_assert_uint_eq(f->access_bytes, 4);
    ck_assert_uint_eq(f->thread[0], 0);
    ck_assert_uint_eq(f->other_thread[0], 0);
    ck_assert_uint_eq(f->other_thread[1], 5);
}
END_TEST

START_TEST(loads_alone_are_clean) {
    for (uint32_t thread = 0; thread < 96; thread++) {
        load(thread, 0);
        load_global(thread, ARRAY_A, 0);
    }
    next_block(1, 0);
    for (uint32_t thread = 0; thread < 96; thread++) {
        load_global(thread, ARRAY_A, 0);
    }
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(one_thread_alone_is_clean) {
    store(7, 0);
    load(7, 0);
    store(7, 0);
    atomic_add(7, 0);
    load(7, 0);
    store(7, 0);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(neighbouring_words_are_clean) {
    for (uint32_t thread = 0; thread < 96; thread++) {
        store(thread, thread * 4);
        load(thread, thread * 4);
    }
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(arrays_do_not_touch_each_other) {
    store(0, 0);
    touch(SPACE_SHARED, RIG_FLAGS, 0, 4, ACCESS_READ, 40, LOAD);
    touch(SPACE_GLOBAL, ARRAY_A, 0, 4, ACCESS_READ, 41, LOAD);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(dynamic_arrays_at_one_address_are_one_memory) {
    race_block_end(race);
    race_launch_end(race);
    rig.shared.array[RIG_FLAGS].offset = rig.shared.array[RIG_TILE].offset;
    ck_assert_int_eq(race_launch_begin(race, &rig.shape, &rig.findings, NULL), STATUS_OK);
    struct block_place place = rig_block(0, 0);
    race_block_begin(race, &place);
    store(0, 0);
    touch(SPACE_SHARED, RIG_FLAGS, 0, 4, ACCESS_READ, 40, LOAD);
    ck_assert_uint_eq(end(), 1);
}
END_TEST

START_TEST(two_barriers_missing_the_second_names_load_then_store) {
    // Phase 1: all store.  Then: thread 0 loads and stores the next tile before thread 40 loads.
    store(0, 0);
    race_barrier(race);
    load(0, 0);
    store(0, 0);
    load(40, 0);
    store_at(40, 64, STORE);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->pc, LOAD);
    ck_assert_uint_eq(only_finding()->other_pc, STORE);
    ck_assert_uint_eq(only_finding()->thread[1], 5);
    ck_assert_uint_eq(only_finding()->other_thread[1], 0);
    ck_assert_uint_eq(only_finding()->access, ACCESS_READ);
    ck_assert_uint_eq(only_finding()->other_access, ACCESS_WRITE);
}
END_TEST

START_TEST(missing_the_first_barrier_names_store_then_load) {
    // Each thread stores its word and loads all: thread 0 runs first, so its load comes before the
    // store of thread 40.
    store(0, 0);
    load(0, 0);
    load(0, 160);
    store(40, 160);
    load(40, 0);
    load(40, 160);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->pc, STORE);
    ck_assert_uint_eq(only_finding()->other_pc, LOAD);
    ck_assert_uint_eq(only_finding()->count, 2);
}
END_TEST

START_TEST(third_reader_is_found_by_a_later_store) {
    load(0, 0);
    load(1, 0);
    load(64, 0);
    race_warp_sync(race, 0, 0xffffffffu);
    store(0, 0);  // ordered after both lanes of its warp, not after thread 64
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->flags, 0);
}
END_TEST

START_TEST(a_race_is_found_in_every_launch) {
    store(0, 0);
    load(40, 0);
    ck_assert_uint_eq(end(), 1);
    findings_clear(&rig.findings);
    ck_assert_int_eq(race_launch_begin(race, &rig.shape, &rig.findings, NULL), STATUS_OK);
    struct block_place place = rig_block(0, 0);
    race_block_begin(race, &place);
    load(40, 0);  // a store of the launch before is not in a race
    ck_assert_uint_eq(rig.findings.count, 0);
    store(0, 0);
    ck_assert_uint_eq(end(), 1);
}
END_TEST

START_TEST(shared_memory_of_two_blocks_is_two_memories) {
    store(0, 0);
    next_block(1, 0);
    load(40, 0);
    store(40, 0);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

// --- Warps -------------------------------------------------------------------

START_TEST(lanes_of_one_warp_have_no_lock_step) {
    store(0, 0);
    load(1, 0);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->severity, SEVERITY_ERROR);
    ck_assert_uint_eq(only_finding()->flags, FINDING_SAME_WARP);
}
END_TEST

START_TEST(same_warp_is_said_only_if_no_other_instance_was_seen) {
    store(0, 0);
    load(1, 0);
    load(40, 0);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->flags, 0);
    ck_assert_uint_eq(only_finding()->count, 2);
}
END_TEST

START_TEST(syncwarp_of_both_lanes_orders) {
    store(0, 0);
    race_warp_sync(race, 0, 0xffffffffu);
    load(1, 0);
    race_warp_sync(race, 0, 0x00000003u);
    store(0, 0);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(syncwarp_without_the_lane_in_its_mask_does_not_order) {
    store(0, 0);
    race_warp_sync(race, 0, 0x0000fff0u);
    load(4, 0);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->flags, FINDING_SAME_WARP);
}
END_TEST

START_TEST(syncwarp_of_another_warp_does_not_order) {
    store(0, 0);
    race_warp_sync(race, 1, 0xffffffffu);
    load(1, 0);
    ck_assert_uint_eq(end(), 1);
}
END_TEST

START_TEST(syncwarp_does_not_order_two_warps) {
    store(0, 0);
    race_warp_sync(race, 0, 0xffffffffu);
    race_warp_sync(race, 1, 0xffffffffu);
    load(32, 0);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->flags, 0);
}
END_TEST

START_TEST(order_passes_through_a_third_lane) {
    store(0, 0);
    race_warp_sync(race, 0, 0x3u);  // 0 and 1
    race_warp_sync(race, 0, 0x6u);  // 1 and 2
    load(2, 0);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(order_does_not_pass_backwards) {
    race_warp_sync(race, 0, 0x3u);
    store(0, 0);
    race_warp_sync(race, 0, 0x6u);
    load(2, 0);
    ck_assert_uint_eq(end(), 1);
}
END_TEST

START_TEST(last_warp_may_be_short) {
    race_block_end(race);
    race_launch_end(race);
    rig.shape.thread_count = 40;
    ck_assert_int_eq(race_launch_begin(race, &rig.shape, &rig.findings, NULL), STATUS_OK);
    struct block_place place = rig_block(0, 0);
    race_block_begin(race, &place);
    store(39, 0);
    race_warp_sync(race, 1, 0xffu);
    load(32, 0);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

static void reduce(bool syncwarp) {
    for (uint32_t lane = 0; lane < 32; lane++) {
        store(lane, lane * 4);
    }
    race_barrier(race);
    for (uint32_t step = 16; step > 0; step /= 2) {
        for (uint32_t lane = 0; lane < step; lane++) {
            load(lane, lane * 4);
            load(lane, (lane + step) * 4);
            store(lane, lane * 4);
        }
        if (syncwarp) {
            race_warp_sync(race, 0, 0xffffffffu);
        }
    }
}

START_TEST(warp_tree_with_syncwarp_is_clean) {
    reduce(true);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(warp_tree_without_syncwarp_is_a_race) {
    reduce(false);
    ck_assert_uint_ge(end(), 1);
    ck_assert_uint_eq(rig.findings.list[0].flags, FINDING_SAME_WARP);
}
END_TEST

SUITE() {
    const TTest *const tests[] = {
        barrier_between_store_and_load_is_clean,
        load_of_another_warp_without_barrier_is_a_race,
        loads_alone_are_clean,
        one_thread_alone_is_clean,
        neighbouring_words_are_clean,
        arrays_do_not_touch_each_other,
        dynamic_arrays_at_one_address_are_one_memory,
        two_barriers_missing_the_second_names_load_then_store,
        missing_the_first_barrier_names_store_then_load,
        third_reader_is_found_by_a_later_store,
        a_race_is_found_in_every_launch,
        shared_memory_of_two_blocks_is_two_memories,
        lanes_of_one_warp_have_no_lock_step,
        same_warp_is_said_only_if_no_other_instance_was_seen,
        syncwarp_of_both_lanes_orders,
        syncwarp_without_the_lane_in_its_mask_does_not_order,
        syncwarp_of_another_warp_does_not_order,
        syncwarp_does_not_order_two_warps,
        order_passes_through_a_third_lane,
        order_does_not_pass_backwards,
        last_warp_may_be_short,
        warp_tree_with_syncwarp_is_clean,
        warp_tree_without_syncwarp_is_a_race,
    };
    return race_suite("race", tests, sizeof tests / sizeof tests[0]);
}

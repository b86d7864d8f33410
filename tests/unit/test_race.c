// The race checker: each order that CUDA gives, each that it does not.
#include "emu/race.h"

#include "rig.h"
#include "suite.h"

#define STORE 0x1000u // places in an imaginary program
#define LOAD  0x2000u
#define OTHER 0x3000u

static struct rig rig;
static struct race *race;

static void begin(void) {
    struct error err;
    rig_init(&rig);
    ck_assert_int_eq(race_new(rig.sites, &race, &err), STATUS_OK);
    ck_assert_int_eq(race_launch_begin(race, &rig.shape, &rig.findings, &err), STATUS_OK);
    struct block_place place = rig_block(0, 0);
    race_block_begin(race, &place);
}

static void next_block(uint32_t x, uint32_t y) {
    struct block_place place = rig_block(x, y);
    race_block_end(race);
    race_block_begin(race, &place);
}

// Ends the launch.  Returns the number of findings.
static uint32_t end(void) {
    race_block_end(race);
    race_launch_end(race);
    return rig.findings.count;
}

static void done(void) {
    race_free(race);
    rig_done(&rig);
}

static void touch(enum memory_space space, uint32_t array, int64_t offset, uint32_t bytes, enum access_kind kind,
                  uint32_t thread, uint64_t pc) {
    struct access access = rig_access(&rig, space, array, offset, bytes, kind, thread, pc);
    race_access(race, &access);
}

static void load(uint32_t thread, int64_t offset) {
    touch(SPACE_SHARED, RIG_TILE, offset, 4, ACCESS_READ, thread, LOAD);
}

// Stores a value that no other thread stores.
static void store_at(uint32_t thread, int64_t offset, uint64_t pc) {
    touch(SPACE_SHARED, RIG_TILE, offset, 4, ACCESS_WRITE, thread, pc);
    uint32_t value = 0x1000000u + thread;
    memcpy(&rig.tile[RIG_TILE][offset], &value, sizeof value);
}

static void store(uint32_t thread, int64_t offset) {
    store_at(thread, offset, STORE);
}

static void atomic_add(uint32_t thread, int64_t offset) {
    touch(SPACE_SHARED, RIG_TILE, offset, 4, ACCESS_ATOMIC, thread, OTHER);
}

static void store_global(uint32_t thread, uint32_t array, int64_t offset, uint32_t value) {
    touch(SPACE_GLOBAL, array, offset, 4, ACCESS_WRITE, thread, STORE);
    memcpy(&rig.global[array][offset], &value, sizeof value);
}

static void load_global(uint32_t thread, uint32_t array, int64_t offset) {
    touch(SPACE_GLOBAL, array, offset, 4, ACCESS_READ, thread, LOAD);
}

static const struct finding *only_finding(void) {
    ck_assert_uint_eq(rig.findings.count, 1);
    return &rig.findings.list[0];
}

// --- __syncthreads ----------------------------------------------------------------------------------------------

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
    // Each thread stores its word and loads all: thread 0 runs first, so its load comes before the store of thread 40.
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
    store(0, 0); // ordered after both lanes of its warp, not after thread 64
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
    load(40, 0); // what the launch before stored is no race
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

// --- Warps ------------------------------------------------------------------------------------------------------

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
    race_warp_sync(race, 0, 0x3u); // 0 and 1
    race_warp_sync(race, 0, 0x6u); // 1 and 2
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

// --- Atomics ----------------------------------------------------------------------------------------------------

START_TEST(atomics_alone_are_clean) {
    for (uint32_t thread = 0; thread < 96; thread++) {
        atomic_add(thread, 0);
        touch(SPACE_GLOBAL, ARRAY_C, 0, 4, ACCESS_ATOMIC, thread, OTHER);
    }
    next_block(1, 0);
    touch(SPACE_GLOBAL, ARRAY_C, 0, 4, ACCESS_ATOMIC, 0, OTHER);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(plain_load_beside_atomics_is_a_race) {
    atomic_add(0, 0);
    atomic_add(40, 0);
    load(0, 0); // thread 40 is the other
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->access, ACCESS_ATOMIC);
    ck_assert_uint_eq(only_finding()->other_access, ACCESS_READ);
}
END_TEST

START_TEST(atomic_after_the_plain_store_of_another_is_a_race) {
    store(0, 0);
    atomic_add(0, 0);
    atomic_add(40, 0);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->access, ACCESS_WRITE);
    ck_assert_uint_eq(only_finding()->other_access, ACCESS_ATOMIC);
}
END_TEST

START_TEST(barrier_between_plain_store_and_atomics_is_clean) {
    store(0, 0);
    race_barrier(race);
    atomic_add(0, 0);
    atomic_add(40, 0);
    race_barrier(race);
    load(5, 0);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

// --- Two stores -------------------------------------------------------------------------------------------------

START_TEST(two_stores_of_different_values_are_a_race) {
    store(0, 0);
    store(40, 0);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->severity, SEVERITY_ERROR);
    ck_assert_uint_eq(only_finding()->flags, 0);
}
END_TEST

static void store_five(uint32_t thread) {
    touch(SPACE_SHARED, RIG_TILE, 0, 4, ACCESS_WRITE, thread, STORE);
    uint32_t five = 5;
    memcpy(rig.tile[RIG_TILE], &five, sizeof five);
}

START_TEST(stores_of_one_value_are_a_note) {
    for (uint32_t thread = 0; thread < 96; thread++) {
        store_five(thread);
    }
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->severity, SEVERITY_NOTE);
    ck_assert_uint_eq(only_finding()->flags & FINDING_SAME_VALUE, FINDING_SAME_VALUE);
    ck_assert_uint_eq(only_finding()->count, 95);
}
END_TEST

START_TEST(one_different_value_among_equal_ones_is_a_race) {
    store_five(0);
    store_five(40);
    store(41, 0);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->severity, SEVERITY_ERROR);
    ck_assert_uint_eq(only_finding()->flags & FINDING_SAME_VALUE, 0);
}
END_TEST

START_TEST(value_is_judged_before_the_barrier_lets_others_change_it) {
    store_five(0);
    store_five(40);
    race_barrier(race);
    store(1, 0);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->severity, SEVERITY_NOTE);
}
END_TEST

START_TEST(load_beside_equal_stores_is_a_race) {
    store_five(0);
    store_five(40);
    load(0, 0);
    ck_assert_uint_eq(end(), 2);
    ck_assert_uint_eq(rig.findings.list[1].severity, SEVERITY_ERROR);
}
END_TEST

// --- Blocks -----------------------------------------------------------------------------------------------------

START_TEST(store_then_load_by_another_block_is_a_race) {
    store_global(3, ARRAY_C, 4, 1);
    race_barrier(race); // orders nothing between blocks
    next_block(1, 0);
    load_global(9, ARRAY_C, 4);
    ck_assert_uint_eq(end(), 1);
    const struct finding *f = only_finding();
    ck_assert_uint_eq(f->flags, FINDING_BETWEEN_BLOCKS);
    ck_assert_uint_eq(f->severity, SEVERITY_ERROR);
    ck_assert_uint_eq(f->block[0], 0);
    ck_assert_uint_eq(f->other_block[0], 1);
    ck_assert_uint_eq(f->thread[0], 3);
    ck_assert_uint_eq(f->other_thread[0], 1);
    ck_assert_uint_eq(f->other_thread[1], 1);
}
END_TEST

START_TEST(load_then_store_by_another_block_is_a_race) {
    load_global(0, ARRAY_C, 4);
    next_block(1, 0);
    next_block(0, 1);
    store_global(0, ARRAY_C, 4, 1);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->block[1], 0);
    ck_assert_uint_eq(only_finding()->other_block[1], 1);
}
END_TEST

START_TEST(stores_of_two_blocks_are_a_race) {
    store_global(0, ARRAY_C, 4, 1);
    next_block(1, 0);
    store_global(0, ARRAY_C, 4, 2);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->flags, FINDING_BETWEEN_BLOCKS);
}
END_TEST

START_TEST(equal_stores_of_two_blocks_are_a_note) {
    store_global(0, ARRAY_C, 4, 1);
    next_block(1, 0);
    store_global(0, ARRAY_C, 4, 1);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->flags, FINDING_BETWEEN_BLOCKS | FINDING_SAME_VALUE);
    ck_assert_uint_eq(only_finding()->severity, SEVERITY_NOTE);
}
END_TEST

START_TEST(tiles_of_blocks_side_by_side_are_clean) {
    for (uint32_t block = 0; block < 4; block++) {
        for (uint32_t thread = 0; thread < 96; thread++) {
            load_global(thread, ARRAY_A, thread * 4);
            store_global(thread, ARRAY_C, block * 384 + thread * 4, 0);
            load_global(thread, ARRAY_C, block * 384 + thread * 4);
            store_global(thread, ARRAY_C, block * 384 + thread * 4, 1);
        }
        next_block((block + 1) % 2, (block + 1) / 2);
    }
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(barrier_orders_global_memory_in_a_block) {
    store_global(0, ARRAY_C, 0, 1);
    race_barrier(race);
    load_global(40, ARRAY_C, 0);
    race_barrier(race);
    store_global(41, ARRAY_C, 0, 2);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(global_memory_in_a_block_without_barrier_is_a_race) {
    store_global(0, ARRAY_C, 0, 1);
    load_global(40, ARRAY_C, 0);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->flags, 0);
}
END_TEST

START_TEST(reader_of_a_later_phase_is_not_forgotten) {
    load_global(0, ARRAY_C, 0);
    load_global(40, ARRAY_C, 0);
    race_barrier(race);
    load_global(64, ARRAY_C, 0);
    store_global(0, ARRAY_C, 0, 1);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->flags, 0);
}
END_TEST

START_TEST(every_reader_among_many_blocks_conflicts) {
    for (uint32_t block = 0; block < 3; block++) {
        load_global(0, ARRAY_C, 0);
        load_global(33, ARRAY_C, 0);
        next_block((block + 1) % 2, (block + 1) / 2);
    }
    store_global(0, ARRAY_C, 0, 1);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->flags, FINDING_BETWEEN_BLOCKS);
}
END_TEST

// --- Sizes ------------------------------------------------------------------------------------------------------

START_TEST(bytes_of_one_word_are_clean) {
    for (uint32_t thread = 0; thread < 96; thread++) {
        touch(SPACE_SHARED, RIG_TILE, thread, 1, ACCESS_WRITE, thread, STORE);
        touch(SPACE_GLOBAL, ARRAY_C, thread * 2, 2, ACCESS_WRITE, thread, STORE);
    }
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(one_byte_of_a_word_is_a_race) {
    store(0, 0);
    touch(SPACE_SHARED, RIG_TILE, 3, 1, ACCESS_READ, 40, LOAD);
    ck_assert_uint_eq(end(), 1);
    ck_assert_int_eq(only_finding()->offset, 3);
}
END_TEST

START_TEST(going_to_bytes_keeps_every_place) {
    for (int64_t offset = 0; offset < RIG_BYTES; offset += 64) {
        store_global(0, ARRAY_C, offset, 1);
    }
    touch(SPACE_GLOBAL, ARRAY_A, 1, 1, ACCESS_READ, 0, OTHER);
    for (int64_t offset = 0; offset < RIG_BYTES; offset += 4) {
        load_global(40, ARRAY_C, offset);
    }
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->count, RIG_BYTES / 64 * 4); // now a finding a byte
}
END_TEST

START_TEST(vector_access_covers_all_its_words) {
    touch(SPACE_SHARED, RIG_TILE, 16, 16, ACCESS_WRITE, 0, STORE);
    load(40, 12);
    load(40, 32);
    ck_assert_uint_eq(rig.findings.count, 0);
    load(40, 28);
    ck_assert_uint_eq(end(), 1);
    ck_assert_int_eq(only_finding()->offset, 28);
}
END_TEST

START_TEST(out_of_bounds_is_left_to_others) {
    store(0, 0);
    touch(SPACE_SHARED, RIG_TILE, RIG_BYTES, 4, ACCESS_WRITE, 0, STORE);
    touch(SPACE_SHARED, RIG_TILE, -4, 4, ACCESS_READ, 40, LOAD);
    touch(SPACE_SHARED, RIG_TILE, RIG_BYTES, 4, ACCESS_READ, 40, LOAD);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

int main(void) {
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
        atomics_alone_are_clean,
        plain_load_beside_atomics_is_a_race,
        atomic_after_the_plain_store_of_another_is_a_race,
        barrier_between_plain_store_and_atomics_is_clean,
        two_stores_of_different_values_are_a_race,
        stores_of_one_value_are_a_note,
        one_different_value_among_equal_ones_is_a_race,
        value_is_judged_before_the_barrier_lets_others_change_it,
        load_beside_equal_stores_is_a_race,
        store_then_load_by_another_block_is_a_race,
        load_then_store_by_another_block_is_a_race,
        stores_of_two_blocks_are_a_race,
        equal_stores_of_two_blocks_are_a_note,
        tiles_of_blocks_side_by_side_are_clean,
        barrier_orders_global_memory_in_a_block,
        global_memory_in_a_block_without_barrier_is_a_race,
        reader_of_a_later_phase_is_not_forgotten,
        every_reader_among_many_blocks_conflicts,
        bytes_of_one_word_are_clean,
        one_byte_of_a_word_is_a_race,
        going_to_bytes_keeps_every_place,
        vector_access_covers_all_its_words,
        out_of_bounds_is_left_to_others,
    };
    Suite *suite = suite_create("race");
    TCase *tcase = tcase_create("race");
    tcase_add_checked_fixture(tcase, begin, done);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}

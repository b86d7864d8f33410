// The race checker: atomic operations, stores of one value, blocks, sizes.
#include "race_rig.h"

// --- Atomics -----------------------------------------------------------------

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
    load(0, 0);  // thread 40 is the other
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

// --- Two stores --------------------------------------------------------------

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

START_TEST(load_beside_equal_stores_is_a_race_unless_by_a_thread_that_stored) {
    store_five(0);
    store_five(40);
    load(0, 0);
    load(40, 0);
    store_five(70);
    race_settle(race);
    ck_assert_uint_eq(rig.findings.count, 1);
    load(41, 0);
    ck_assert_uint_eq(end(), 2);
    ck_assert_uint_eq(rig.findings.list[1].severity, SEVERITY_ERROR);
}
END_TEST

// --- Blocks ------------------------------------------------------------------

START_TEST(store_then_load_by_another_block_is_a_race) {
    store_global(3, ARRAY_C, 4, 1);
    race_barrier(race);  // orders nothing between blocks
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

// --- Sizes -------------------------------------------------------------------

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
    for (int64_t offset = 0; offset < RIG_BYTES; offset += 64) {
        load_global(40, ARRAY_C, offset);
    }
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->count, RIG_BYTES / 64 * 4);  // now one finding for each byte
}
END_TEST

// Words, then halves, then bytes.
START_TEST(units_become_smaller_in_two_steps) {
    for (int64_t offset = 0; offset < RIG_BYTES; offset += 64) {
        store_global(0, ARRAY_C, offset, 1);
    }
    touch(SPACE_GLOBAL, ARRAY_A, 2, 2, ACCESS_READ, 0, OTHER);
    touch(SPACE_GLOBAL, ARRAY_C, 32, 2, ACCESS_WRITE, 0, STORE);
    touch(SPACE_GLOBAL, ARRAY_C, 34, 2, ACCESS_WRITE, 40, STORE);
    ck_assert_uint_eq(rig.findings.count, 0);
    load_global(40, ARRAY_C, 0);
    ck_assert_uint_eq(only_finding()->count, 2);  // one for each half
    touch(SPACE_GLOBAL, ARRAY_A, 1, 1, ACCESS_READ, 0, OTHER);
    load_global(40, ARRAY_C, 64);
    touch(SPACE_GLOBAL, ARRAY_C, 33, 1, ACCESS_READ, 40, LOAD);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->count, 2 + 4 + 1);
}
END_TEST

START_TEST(later_launches_begin_with_the_smaller_unit) {
    touch(SPACE_GLOBAL, ARRAY_A, 1, 1, ACCESS_READ, 0, OTHER);
    ck_assert_uint_eq(end(), 0);
    struct block_place place = rig_block(0, 0);
    ck_assert_int_eq(race_launch_begin(race, &rig.shape, &rig.findings, NULL), STATUS_OK);
    race_block_begin(race, &place);
    store_global(0, ARRAY_C, 64, 1);
    load_global(40, ARRAY_C, 64);
    ck_assert_uint_eq(end(), 1);
    ck_assert_uint_eq(only_finding()->count, 4);  // one for each byte
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

SUITE() {
    const TTest *const tests[] = {
        atomics_alone_are_clean,
        plain_load_beside_atomics_is_a_race,
        atomic_after_the_plain_store_of_another_is_a_race,
        barrier_between_plain_store_and_atomics_is_clean,
        two_stores_of_different_values_are_a_race,
        stores_of_one_value_are_a_note,
        one_different_value_among_equal_ones_is_a_race,
        value_is_judged_before_the_barrier_lets_others_change_it,
        load_beside_equal_stores_is_a_race_unless_by_a_thread_that_stored,
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
        units_become_smaller_in_two_steps,
        later_launches_begin_with_the_smaller_unit,
        vector_access_covers_all_its_words,
        out_of_bounds_is_left_to_others,
    };
    return race_suite("race_kinds", tests, sizeof tests / sizeof tests[0]);
}

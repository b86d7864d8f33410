// Accesses of another block's shared memory: before it runs, and after it may have ended.
#include "race_rig.h"

#include "emu/check/remote.h"
#include "emu/check/thread_clocks.h"

static struct remote *remote;

static void clusters(void) {
    struct error err;
    race_launch_end(race);
    rig.shape.cluster_blocks = 2;
    ck_assert_int_eq(race_follow(race, true, &err), STATUS_OK);
    ck_assert_int_eq(race_launch_begin(race, &rig.shape, &rig.findings, &err), STATUS_OK);
    ck_assert_int_eq(remote_new(&remote, &err), STATUS_OK);
    remote_launch_begin(remote, &rig.shape, &rig.findings);
    race_cluster_begin(race);
    remote_cluster_begin(remote);
}

static void block(uint32_t x) {
    struct block_place place = rig_block(x, 0);
    race_block_begin(race, &place);
}

// Thread 40 of block 0 loads from block 1.
static void remote_load(bool before_barrier) {
    struct block_place place = rig_block(0, 0);
    struct access access = rig_access(&rig, SPACE_SHARED, RIG_TILE, 0, 4, ACCESS_READ, 40, LOAD);
    const struct remote_use use = {
        .to = 1, .place = &place, .epoch = race->epoch, .before_barrier = before_barrier};
    remote_access(remote, &use, &access);
}

static void block_ends(void) {
    struct block_place place = rig_block(1, 0);
    struct remote_end end_of = {.rank = 1, .place = &place, .thread = 7, .pc = OTHER};
    race_barrier(race);
    remote_block_end(remote, race->follow, &end_of);
}

static uint32_t cluster_ends(void) {
    remote_cluster_end(remote);
    return end();
}

START_TEST(an_access_before_the_first_barrier_may_be_too_early) {
    clusters();
    block(0);
    remote_load(true);
    ck_assert_uint_eq(cluster_ends(), 1);
    ck_assert_uint_eq(only_finding()->detail, RACE_BLOCK_BEGINS);
    ck_assert_uint_eq(only_finding()->pc, LOAD);
}
END_TEST

START_TEST(a_race_says_more_than_an_early_access) {
    clusters();
    block(0);
    store(1, 0);
    load(40, 0);
    remote_load(true);
    ck_assert_uint_eq(cluster_ends(), 1);
    ck_assert_uint_eq(only_finding()->pc, STORE);
}
END_TEST

START_TEST(an_access_that_is_not_ordered_may_come_after_the_end) {
    clusters();
    block(0);
    remote_load(false);
    block(1);
    block_ends();
    ck_assert_uint_eq(cluster_ends(), 1);
    ck_assert_uint_eq(only_finding()->detail, RACE_BLOCK_ENDS);
    ck_assert_uint_eq(only_finding()->pc, LOAD);
    ck_assert_uint_eq(only_finding()->other_pc, OTHER);
}
END_TEST

START_TEST(a_barrier_after_the_access_keeps_the_block) {
    struct follow_message message = {.known = NULL};
    clusters();
    block(0);
    remote_load(false);
    race_barrier(race);
    follow_put_block(race->follow, &message);
    block(1);
    race_take(race, 3, &message);
    block_ends();
    follow_drop(&message);
    ck_assert_uint_eq(cluster_ends(), 0);
}
END_TEST

START_TEST(a_barrier_before_the_access_does_not) {
    struct follow_message message = {.known = NULL};
    clusters();
    block(0);
    race_barrier(race);
    follow_put_block(race->follow, &message);
    remote_load(false);
    block(1);
    race_take(race, 3, &message);
    block_ends();
    follow_drop(&message);
    ck_assert_uint_eq(cluster_ends(), 1);
}
END_TEST

START_TEST(the_next_cluster_begins_without_accesses) {
    clusters();
    block(0);
    remote_load(false);
    remote_cluster_begin(remote);
    block(1);
    block_ends();
    ck_assert_uint_eq(cluster_ends(), 0);
}
END_TEST

SUITE() {
    const TTest *const tests[] = {
        an_access_before_the_first_barrier_may_be_too_early,
        a_race_says_more_than_an_early_access,
        an_access_that_is_not_ordered_may_come_after_the_end,
        a_barrier_after_the_access_keeps_the_block,
        a_barrier_before_the_access_does_not,
        the_next_cluster_begins_without_accesses,
    };
    return race_suite("remote", tests, sizeof tests / sizeof tests[0]);
}

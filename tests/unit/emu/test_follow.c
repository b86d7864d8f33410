// What fences and strong accesses order: thread 0 of one block stores, thread 40 of another loads.
#include "race_rig.h"

#include "emu/check/thread_clocks.h"

#define FLAG 64  // offset of a flag in the workspace

static void follow(void) {
    struct error err;
    race_launch_end(race);
    ck_assert_int_eq(race_follow(race, true, &err), STATUS_OK);
    ck_assert_int_eq(race_launch_begin(race, &rig.shape, &rig.findings, &err), STATUS_OK);
    struct block_place place = rig_block(0, 0);
    race_block_begin(race, &place);
}

static void data_store(uint32_t thread) {
    store_global(thread, ARRAY_WORKSPACE, 0, 7 + thread);
}

static void data_load(uint32_t thread) {
    load_global(thread, ARRAY_WORKSPACE, 0);
}

static void strong(uint32_t thread, enum access_kind kind, bool in_block) {
    struct access access =
        rig_access(&rig, SPACE_GLOBAL, ARRAY_WORKSPACE, FLAG, 4, kind, thread, OTHER);
    access.strong = kind != ACCESS_ATOMIC;
    race_atomic(race, OPERATION_EXCHANGE, in_block);
    race_access(race, &access);
    race_strong(race, &(struct follow_strong){.address = access.address,
                                              .thread = thread,
                                              .loads = kind != ACCESS_WRITE,
                                              .stores = kind != ACCESS_READ,
                                              .adds = kind == ACCESS_ATOMIC,
                                              .in_block = in_block});
}

static void fence(uint32_t thread) {
    race_fence(race, thread, FOLLOW_ALL);
}

static void ticket(uint32_t thread) {
    strong(thread, ACCESS_ATOMIC, false);
}

// The only finding is a race that lacks this.
static void ends_with(enum race_gap gap) {
    (void)end();
    ck_assert_uint_eq(only_finding()->kind, FINDING_RACE);
    ck_assert_uint_eq(only_finding()->detail, gap);
}

START_TEST(fences_and_a_ticket_order_two_blocks) {
    follow();
    data_store(0);
    fence(0);
    ticket(0);
    next_block(1, 0);
    ticket(40);
    fence(40);
    data_load(40);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(a_chain_of_tickets_hands_on_what_the_first_released) {
    follow();
    data_store(0);
    fence(0);
    ticket(0);
    next_block(1, 0);
    ticket(1);  // without any fence of its own
    next_block(0, 1);
    ticket(40);
    fence(40);
    data_load(40);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(a_volatile_store_ends_the_chain) {
    follow();
    data_store(0);
    fence(0);
    ticket(0);
    next_block(1, 0);
    fence(1);
    strong(1, ACCESS_WRITE, false);
    next_block(0, 1);
    strong(40, ACCESS_READ, false);
    fence(40);
    data_load(40);
    ck_assert_uint_eq(end(), 1);
}
END_TEST

START_TEST(a_missing_fence_is_named) {
    follow();
    data_store(0);
    ticket(0);
    next_block(1, 0);
    ticket(40);
    fence(40);
    data_load(40);
    ends_with(RACE_LACKS_RELEASE);
}
END_TEST

START_TEST(a_missing_fence_of_the_reader_is_named) {
    follow();
    data_store(0);
    fence(0);
    ticket(0);
    next_block(1, 0);
    ticket(40);
    data_load(40);
    ends_with(RACE_LACKS_ACQUIRE);
}
END_TEST

START_TEST(a_store_after_the_ticket_is_too_late) {
    follow();
    fence(0);
    ticket(0);
    data_store(0);
    next_block(1, 0);
    ticket(40);
    fence(40);
    data_load(40);
    ends_with(RACE_TOO_EARLY);
}
END_TEST

START_TEST(a_fence_alone_orders_nothing) {
    follow();
    data_store(0);
    fence(0);
    next_block(1, 0);
    fence(40);
    data_load(40);
    ends_with(RACE_UNORDERED);
}
END_TEST

START_TEST(a_fence_of_the_block_is_too_narrow_for_another) {
    follow();
    data_store(0);
    race_fence(race, 0, FOLLOW_BLOCK);
    ticket(0);
    next_block(1, 0);
    ticket(40);
    fence(40);
    data_load(40);
    ends_with(RACE_LACKS_RELEASE);
}
END_TEST

START_TEST(an_atomic_of_the_block_is_too_narrow_for_another) {
    follow();
    data_store(0);
    fence(0);
    strong(0, ACCESS_ATOMIC, true);
    next_block(1, 0);
    ticket(40);
    fence(40);
    data_load(40);
    ck_assert_uint_eq(end(), 2);  // the two atomic operations, and the data
}
END_TEST

START_TEST(both_are_wide_enough_within_the_block) {
    follow();
    data_store(0);
    race_fence(race, 0, FOLLOW_BLOCK);
    strong(0, ACCESS_ATOMIC, true);
    strong(40, ACCESS_ATOMIC, true);
    race_fence(race, 40, FOLLOW_BLOCK);
    data_load(40);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(a_barrier_hands_on_what_fences_released) {
    follow();
    data_store(0);
    fence(0);
    race_barrier(race);
    ticket(1);
    next_block(1, 0);
    ticket(3);
    race_barrier(race);  // also counts as the reader's fence
    data_load(40);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(a_barrier_before_the_ticket_is_no_fence) {
    follow();
    data_store(0);
    race_barrier(race);
    ticket(1);
    next_block(1, 0);
    ticket(40);
    fence(40);
    data_load(40);
    ends_with(RACE_LACKS_RELEASE);
}
END_TEST

START_TEST(a_warp_barrier_hands_on_to_its_lanes_alone) {
    follow();
    data_store(0);
    race_warp_sync(race, 0, 0xf);
    fence(3);
    ticket(3);
    ticket(40);
    fence(40);
    data_load(40);
    ck_assert_uint_eq(rig.findings.count, 0);
    data_store(5);  // thread 5 took no part, and has not heard of the load either
    ck_assert_uint_eq(end(), 2);
}
END_TEST

START_TEST(a_flag_needs_a_fence_before_it) {
    follow();
    strong(0, ACCESS_WRITE, false);
    strong(40, ACCESS_READ, false);
    ends_with(RACE_OF_FLAG);
}
END_TEST

START_TEST(who_has_seen_a_flag_may_set_it_back) {
    follow();
    fence(0);
    strong(0, ACCESS_WRITE, false);
    strong(40, ACCESS_READ, false);
    store_global(40, ARRAY_WORKSPACE, FLAG, 0);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(who_has_not_seen_a_flag_may_not_set_it_back) {
    follow();
    strong(40, ACCESS_READ, false);
    fence(0);
    strong(0, ACCESS_WRITE, false);
    store_global(40, ARRAY_WORKSPACE, FLAG, 0);
    ck_assert_uint_eq(end(), 1);
}
END_TEST

START_TEST(an_arrival_hands_on_what_its_thread_has_done) {
    struct follow_message message = {.known = NULL};
    follow();
    data_store(0);
    race_put(race, 0, &message);
    race_take(race, 40, &message);
    data_load(40);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(an_arrival_before_the_store_hands_on_nothing) {
    struct follow_message message = {.known = NULL};
    follow();
    follow_phases(race->follow);
    race_put(race, 0, &message);
    data_store(0);
    race_take(race, 40, &message);
    data_load(40);
    ends_with(RACE_AMONG_PHASES);
}
END_TEST

START_TEST(a_relaxed_arrival_hands_on_no_store) {
    struct follow_message message = {.known = NULL};
    follow();
    data_store(0);
    race_put_relaxed(race, 0, &message, FOLLOW_ALL);
    race_take(race, 40, &message);
    data_load(40);
    ends_with(RACE_RELAXED);
}
END_TEST

START_TEST(a_fence_before_a_relaxed_arrival_hands_on_the_store) {
    struct follow_message message = {.known = NULL};
    follow();
    data_store(0);
    fence(0);
    race_put_relaxed(race, 0, &message, FOLLOW_ALL);
    race_take(race, 40, &message);
    data_load(40);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(after_a_relaxed_arrival_others_may_overwrite_what_was_read) {
    struct follow_message message = {.known = NULL};
    struct follow_message next = {.known = NULL};
    follow();
    data_load(0);
    follow_put_agent(race->follow, &message, 3, 8);
    race_take(race, 0, &message);
    race_put_relaxed(race, 0, &next, FOLLOW_ALL);
    race_take(race, 40, &next);
    ck_assert(follow_knows_agent(race->follow, 40, 3, 7));
    ck_assert(!follow_knows_agent(race->follow, 40, 3, 8));
    race_warp_sync(race, 1, 0xffffffff);
    data_store(41);
    ck_assert_uint_eq(end(), 0);
}
END_TEST

START_TEST(a_read_after_a_relaxed_arrival_is_not_done) {
    struct follow_message message = {.known = NULL};
    follow();
    race_put_relaxed(race, 0, &message, FOLLOW_ALL);
    data_load(0);
    race_take(race, 40, &message);
    data_store(40);
    ck_assert_uint_eq(end(), 1);
}
END_TEST

START_TEST(who_takes_what_an_agent_put_knows_it_up_to_its_time) {
    struct follow_message message = {.known = NULL};
    follow();
    follow_put_agent(race->follow, &message, 3, 8);
    race_take(race, 40, &message);
    ck_assert(follow_knows_agent(race->follow, 40, 3, 7));
    ck_assert(!follow_knows_agent(race->follow, 40, 3, 8));
    ck_assert(!follow_knows_agent(race->follow, 40, 4, 7));
    ck_assert(!follow_knows_agent(race->follow, 41, 3, 7));
    ck_assert_uint_eq(end(), 0);
}
END_TEST

// --- Clocks

START_TEST(a_block_makes_its_threads_superfluous) {
    struct clock_pool pool = {.left = 0};
    struct clock *clock = NULL;
    clock_learn(&pool, &clock, clock_of_thread(2, 7), 5);
    clock_learn(&pool, &clock, clock_of_thread(2, 9), 8);
    clock_learn(&pool, &clock, clock_of_thread(3, 7), 4);
    clock_learn(&pool, &clock, clock_of_block(2), 6);
    ck_assert_uint_eq(clock_count(clock), 3);
    ck_assert_uint_eq(clock_epoch(clock, 2, 7), 6);
    ck_assert_uint_eq(clock_epoch(clock, 2, 9), 8);
    ck_assert_uint_eq(clock_epoch(clock, 3, 7), 4);
    ck_assert_uint_eq(clock_epoch(clock, 1, 7), 0);
    ck_assert_uint_eq(clock_own_epoch(clock, 2, 7), 0);
    clock_drop(&clock);
    clock_pool_clear(&pool);
}
END_TEST

START_TEST(a_shared_clock_does_not_change) {
    struct clock_pool pool = {.left = 0};
    struct clock *clock = NULL;
    clock_learn(&pool, &clock, clock_of_thread(0, 1), 5);
    struct clock *kept = clock_share(clock);
    clock_learn(&pool, &clock, clock_of_thread(0, 1), 9);
    ck_assert_uint_eq(clock_epoch(kept, 0, 1), 5);
    ck_assert_uint_eq(clock_epoch(clock, 0, 1), 9);
    clock_join(&kept, clock);
    ck_assert_ptr_eq(kept, clock);
    clock_drop(&clock);
    clock_drop(&kept);
    clock_pool_clear(&pool);
}
END_TEST

SUITE() {
    const TTest *const tests[] = {
        fences_and_a_ticket_order_two_blocks,
        a_chain_of_tickets_hands_on_what_the_first_released,
        a_volatile_store_ends_the_chain,
        a_missing_fence_is_named,
        a_missing_fence_of_the_reader_is_named,
        a_store_after_the_ticket_is_too_late,
        a_fence_alone_orders_nothing,
        a_fence_of_the_block_is_too_narrow_for_another,
        an_atomic_of_the_block_is_too_narrow_for_another,
        both_are_wide_enough_within_the_block,
        a_barrier_hands_on_what_fences_released,
        a_barrier_before_the_ticket_is_no_fence,
        a_warp_barrier_hands_on_to_its_lanes_alone,
        a_flag_needs_a_fence_before_it,
        who_has_seen_a_flag_may_set_it_back,
        who_has_not_seen_a_flag_may_not_set_it_back,
        an_arrival_hands_on_what_its_thread_has_done,
        an_arrival_before_the_store_hands_on_nothing,
        a_relaxed_arrival_hands_on_no_store,
        a_fence_before_a_relaxed_arrival_hands_on_the_store,
        after_a_relaxed_arrival_others_may_overwrite_what_was_read,
        a_read_after_a_relaxed_arrival_is_not_done,
        who_takes_what_an_agent_put_knows_it_up_to_its_time,
        a_block_makes_its_threads_superfluous,
        a_shared_clock_does_not_change,
    };
    return race_suite("follow", tests, sizeof tests / sizeof tests[0]);
}

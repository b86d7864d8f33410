// The order of acts: slots of a step, teams of warps, and copies from their issue to their wait.
#include "emu/count/timeline.h"

#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

static struct trace trace;

static void touch(struct timeline *timeline, uint32_t thread, enum access_kind kind,
                  enum memory_space space, uint32_t array) {
    const struct access access = {.pc = 100 + array,
                                  .bytes = 4,
                                  .thread = thread,
                                  .kind = (uint8_t)kind,
                                  .space = (uint8_t)space,
                                  .array = array,
                                  .offset = 4 * (int64_t)thread};
    timeline_access(timeline, &access);
}

static void copy(struct timeline *timeline, uint32_t thread, int64_t offset) {
    const struct access access = {.pc = 300, .bytes = 16, .thread = thread, .offset = offset};
    timeline_copy(timeline, &access, ARRAY_A);
}

static struct timeline *begin(uint32_t threads) {
    memset(&trace, 0, sizeof trace);
    struct timeline *timeline = timeline_new(threads);
    ck_assert_ptr_nonnull(timeline);
    return timeline;
}

static void end(struct timeline *timeline, uint32_t phases) {
    const uint32_t block[3] = {64, 1, 1};
    timeline_end(timeline, &trace);
    timeline_free(timeline);
    trace.phases = phases;
    ck_assert(trace_check(&trace, block, 2));
}

static const struct trace_act *act_of(uint32_t kind, uint32_t array) {
    for (uint32_t i = 0; i < trace.act_count; i++) {
        if (trace.act[i].kind == kind && trace.act[i].array == array) {
            return &trace.act[i];
        }
    }
    ck_abort_msg("no act of kind %u", kind);
    return NULL;
}

START_TEST(what_alternates_in_a_loop_shares_a_slot) {
    struct timeline *timeline = begin(32);
    for (uint32_t thread = 0; thread < 32; thread++) {
        touch(timeline, thread, ACCESS_READ, SPACE_GLOBAL, ARRAY_A);
        for (int k = 0; k < 4; k++) {
            touch(timeline, thread, ACCESS_READ, SPACE_SHARED, 0);
            touch(timeline, thread, ACCESS_READ, SPACE_SHARED, 1);
            timeline_compute(timeline, thread, 2);
        }
        touch(timeline, thread, ACCESS_WRITE, SPACE_GLOBAL, ARRAY_C);
    }
    end(timeline, 1);
    ck_assert_uint_eq(trace.act_count, 5);
    ck_assert_uint_eq(act_of(ACCESS_READ, ARRAY_A)->slot, 0);
    ck_assert_uint_eq(trace.act[1].slot, 1);
    ck_assert_uint_eq(trace.act[2].slot, 1);
    ck_assert_uint_eq(act_of(TRACE_COMPUTE, 0)->slot, 1);
    ck_assert_uint_eq(act_of(TRACE_COMPUTE, 0)->times, 8);
    ck_assert_uint_eq(act_of(ACCESS_WRITE, ARRAY_C)->slot, 2);
    ck_assert_int_eq(act_of(ACCESS_WRITE, ARRAY_C)->high, 127);
}
END_TEST

START_TEST(lanes_that_part_have_one_order) {
    // Odd lanes alone load A first, so their later acts have larger clocks.
    struct timeline *timeline = begin(32);
    for (uint32_t thread = 0; thread < 32; thread++) {
        for (uint32_t i = 0; i < 3 * (thread % 2); i++) {
            touch(timeline, thread, ACCESS_READ, SPACE_GLOBAL, ARRAY_A);
        }
        touch(timeline, thread, ACCESS_WRITE, SPACE_SHARED, 0);
        touch(timeline, thread, ACCESS_READ, SPACE_SHARED, 0);
    }
    end(timeline, 1);
    ck_assert_uint_eq(act_of(ACCESS_READ, ARRAY_A)->slot, 0);
    ck_assert_uint_eq(act_of(ACCESS_READ, ARRAY_A)->lanes, 16);
    ck_assert_uint_eq(trace.act[1].kind, ACCESS_WRITE);
    ck_assert_uint_eq(trace.act[1].slot, 1);
    ck_assert_uint_eq(trace.act[2].slot, 2);
}
END_TEST

START_TEST(warps_that_do_the_same_are_a_team) {
    struct timeline *timeline = begin(96);
    for (uint32_t thread = 0; thread < 96; thread++) {
        touch(timeline, thread, thread / 32 == 1 ? ACCESS_WRITE : ACCESS_READ, SPACE_SHARED, 0);
    }
    timeline_barrier(timeline, 500);
    end(timeline, 2);
    ck_assert_uint_eq(trace.team_count, 2);
    ck_assert_uint_eq(trace.team[0], 5);
    ck_assert_uint_eq(trace.team[1], 2);
    ck_assert_int_eq(trace.act[0].high, 4 * 95 + 3);
    ck_assert_uint_eq(trace.act[1].kind, TRACE_BARRIER);
    ck_assert_uint_eq(trace.act[1].slot, 1);
}
END_TEST

START_TEST(a_copy_goes_on_to_the_wait_for_its_group) {
    struct timeline *timeline = begin(32);
    for (uint32_t thread = 0; thread < 32; thread++) {
        copy(timeline, thread, 0);
        timeline_commit(timeline, thread);
        copy(timeline, thread, 64);
        timeline_commit(timeline, thread);
        timeline_wait(timeline, thread, 1, 400);
    }
    timeline_barrier(timeline, 500);
    for (uint32_t thread = 0; thread < 32; thread++) {
        copy(timeline, thread, 0);
        timeline_commit(timeline, thread);
    }
    timeline_barrier(timeline, 500);
    for (uint32_t thread = 0; thread < 31; thread++) {
        timeline_wait(timeline, thread, 0, 400);
    }
    timeline_wait(timeline, 31, 1, 400);
    end(timeline, 3);
    ck_assert_uint_eq(trace.copy_count, 3);
    ck_assert_uint_eq(trace.copy[0].done, 0);
    ck_assert_int_eq(trace.copy[0].high, 15);
    ck_assert_uint_eq(trace.copy[1].done, 2);
    ck_assert_uint_eq(trace.copy[2].issued, 1);
    ck_assert_uint_eq(trace.copy[2].done, TRACE_NEVER);  // one lane has not waited
}
END_TEST

SUITE() {
    Suite *suite = suite_create("timeline");
    TCase *tests = tcase_create("order");
    tcase_add_test(tests, what_alternates_in_a_loop_shares_a_slot);
    tcase_add_test(tests, lanes_that_part_have_one_order);
    tcase_add_test(tests, warps_that_do_the_same_are_a_team);
    tcase_add_test(tests, a_copy_goes_on_to_the_wait_for_its_group);
    suite_add_tcase(suite, tests);
    return suite;
}

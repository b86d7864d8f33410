// The barrier checker: where threads wait if none of them can run.
#include "emu/check/barrier_meeting.h"

#include "rig.h"
#include "suite.h"

#define HERE  0x100u
#define THERE 0x200u
#define AWAY  0x300u

static struct rig rig;
static struct barrier_thread threads[THREADS_MAX];
static const struct block_place place = {.index = {1, 1, 0}, .linear = 3};

static void begin(void) {
    rig_init(&rig);
    for (int i = 0; i < THREADS_MAX; i++) {
        threads[i] = (struct barrier_thread){.pc = HERE, .state = BARRIER_WAITING};
    }
}

static void done(void) {
    rig_done(&rig);
}

static bool meet(void) {
    return barrier_meet(&rig.findings, &rig.shape, &place, threads);
}

START_TEST(all_at_one_barrier_is_clean) {
    ck_assert(!meet());
    ck_assert_uint_eq(rig.findings.count, 0);
}
END_TEST

START_TEST(two_barriers_are_divergence) {
    threads[9].pc = THERE;
    threads[95].pc = THERE;
    ck_assert(meet());
    const struct finding *f = &rig.findings.list[0];
    ck_assert_uint_eq(rig.findings.count, 1);
    ck_assert_uint_eq(f->kind, FINDING_BARRIER_DIVERGENCE);
    ck_assert_uint_eq(f->severity, SEVERITY_ERROR);
    ck_assert_uint_eq(f->pc, HERE);
    ck_assert_uint_eq(f->other_pc, THERE);
    ck_assert_uint_eq(f->count_waiting, 94);
    ck_assert_uint_eq(f->count_absent, 2);
    ck_assert_uint_eq(f->block[1], 1);
    ck_assert_uint_eq(f->thread[0], 0);
    ck_assert_uint_eq(f->other_thread[0], 1);
    ck_assert_uint_eq(f->other_thread[1], 1);
}
END_TEST

START_TEST(threads_that_returned_are_a_warning_and_the_rest_goes_on) {
    for (int i = 32; i < 96; i++) {
        threads[i] = (struct barrier_thread){.pc = AWAY, .state = BARRIER_EXITED};
    }
    ck_assert(!meet());
    const struct finding *f = &rig.findings.list[0];
    ck_assert_uint_eq(rig.findings.count, 1);
    ck_assert_uint_eq(f->kind, FINDING_EXITED_BEFORE_BARRIER);
    ck_assert_uint_eq(f->severity, SEVERITY_WARNING);
    ck_assert_uint_eq(f->pc, HERE);
    ck_assert_uint_eq(f->other_pc, AWAY);
    ck_assert_uint_eq(f->count_waiting, 32);
    ck_assert_uint_eq(f->count_absent, 64);
}
END_TEST

START_TEST(threads_that_ran_past_the_barrier_to_the_end_are_divergence) {
    threads[0] = (struct barrier_thread){.pc = AWAY, .state = BARRIER_EXITED};
    threads[1] = (struct barrier_thread){.pc = 0, .state = BARRIER_EXITED};
    ck_assert(meet());
    const struct finding *f = &rig.findings.list[0];
    ck_assert_uint_eq(rig.findings.count, 1);
    ck_assert_uint_eq(f->kind, FINDING_BARRIER_DIVERGENCE);
    ck_assert_uint_eq(f->other_pc, 0);
    ck_assert_uint_eq(f->count_waiting, 94);
    ck_assert_uint_eq(f->count_absent, 1);
}
END_TEST

START_TEST(two_barriers_weigh_more_than_returned_threads) {
    threads[0].state = BARRIER_EXITED;
    threads[1].pc = THERE;
    ck_assert(meet());
    ck_assert_uint_eq(rig.findings.count, 1);
    ck_assert_uint_eq(rig.findings.list[0].kind, FINDING_BARRIER_DIVERGENCE);
}
END_TEST

START_TEST(all_returned_is_no_meeting) {
    for (int i = 0; i < 96; i++) {
        threads[i].state = BARRIER_EXITED;
    }
    ck_assert(!meet());
    ck_assert_uint_eq(rig.findings.count, 0);
}
END_TEST

START_TEST(threads_beyond_the_block_are_not_looked_at) {
    threads[96].pc = THERE;
    ck_assert(!meet());
    ck_assert_uint_eq(rig.findings.count, 0);
}
END_TEST

SUITE() {
    const TTest *const tests[] = {
        all_at_one_barrier_is_clean,
        two_barriers_are_divergence,
        threads_that_returned_are_a_warning_and_the_rest_goes_on,
        threads_that_ran_past_the_barrier_to_the_end_are_divergence,
        two_barriers_weigh_more_than_returned_threads,
        all_returned_is_no_meeting,
        threads_beyond_the_block_are_not_looked_at,
    };
    Suite *suite = suite_create("barrier");
    TCase *tcase = tcase_create("barrier");
    tcase_add_checked_fixture(tcase, begin, done);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}

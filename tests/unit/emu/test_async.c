// The checker of asynchronous copies: what is under way, from the call to the wait.
#include "emu/check/copy_checks.h"

#include "rig.h"
#include "suite.h"

#define READER 40  // a thread of another warp than 0
#define PC     0x500

static struct rig rig;
static struct async *async;

static void begin(void) {
    struct block_place place = rig_block(1, 0);
    rig_init(&rig);
    async = NULL;
    ck_assert_int_eq(vault_need(&async, sizeof *async, NULL), STATUS_OK);
    ck_assert_int_eq(async_launch_begin(async, &rig.shape, &rig.findings, NULL), STATUS_OK);
    async_block_begin(async, &place);
}

static void done(void) {
    rig_done(&rig);
}

static struct access access_of(int64_t offset, uint32_t bytes, enum access_kind kind,
                               uint32_t thread) {
    return rig_access(&rig, SPACE_SHARED, RIG_TILE, offset, bytes, kind, thread, PC + thread);
}

static void copy(int64_t offset, uint32_t bytes, uint32_t thread) {
    struct access to = access_of(offset, bytes, ACCESS_WRITE, thread);
    async_begin(async, &to);
}

static bool meets(int64_t offset, uint32_t bytes, uint32_t thread) {
    struct access access = access_of(offset, bytes, ACCESS_READ, thread);
    return async_access(async, &access);
}

static uint32_t finished(uint32_t thread, uint64_t prior) {
    struct async_copy copy;
    uint32_t count = 0;
    while (async_finish(async, thread, prior, &copy)) {
        count++;
    }
    return count;
}

START_TEST(own_read_before_the_wait_is_found) {
    copy(16, 16, 3);
    ck_assert(!meets(12, 4, 3));
    ck_assert(!meets(32, 4, 3));
    ck_assert(meets(28, 4, 3));
    const struct finding *f = &rig.findings.list[0];
    ck_assert_uint_eq(rig.findings.count, 1);
    ck_assert_uint_eq(f->kind, FINDING_RACE);
    ck_assert_uint_eq(f->parties, PARTIES_COPY);
    ck_assert_uint_eq(f->pc, PC + 3);
    ck_assert_uint_eq(f->access, ACCESS_WRITE);
    ck_assert_uint_eq(f->other_access, ACCESS_READ);
    ck_assert_int_eq(f->offset, 28);
    ck_assert_uint_eq(f->block[0], 1);
    ck_assert_uint_eq(f->thread[0], 3);
    async_commit(async, 3);
    ck_assert_uint_eq(finished(3, 0), 1);
    ck_assert(!meets(28, 4, 3));
}
END_TEST

START_TEST(copy_that_is_not_committed_is_told_from_one_that_is) {
    copy(0, 4, 3);
    ck_assert(meets(0, 4, 3));
    ck_assert_uint_eq(rig.findings.list[0].detail, RACE_LACKS_COMMIT);
    findings_clear(&rig.findings);
    async_commit(async, 3);
    ck_assert(meets(0, 4, 3));
    ck_assert_uint_eq(rig.findings.list[0].detail, RACE_UNORDERED);
}
END_TEST

START_TEST(others_meet_it_after_a_barrier) {
    copy(0, 4, 3);
    ck_assert(!meets(0, 4, READER));  // in no order: the race checker says so
    ck_assert(!meets(0, 4, 4));
    async_warp_sync(async, 1);
    ck_assert(!meets(0, 4, READER));
    async_warp_sync(async, 0);
    ck_assert(meets(0, 4, 4));
    ck_assert(!meets(0, 4, READER));
    async_barrier(async);
    ck_assert(meets(0, 4, READER));
}
END_TEST

START_TEST(wait_leaves_the_last_groups_under_way) {
    for (int group = 0; group < 3; group++) {
        copy(64 * group, 4, 3);
        copy(64 * group + 32, 4, 3);
        async_commit(async, 3);
    }
    copy(512, 4, 3);  // in no group yet
    ck_assert_uint_eq(finished(3, 3), 0);
    ck_assert_uint_eq(finished(3, 2), 2);
    ck_assert(!meets(32, 4, 3));
    ck_assert(meets(64, 4, 3));
    ck_assert_uint_eq(finished(3, 0), 4);
    ck_assert(meets(512, 4, 3));
    async_commit(async, 3);
    ck_assert_uint_eq(finished(3, UINT64_MAX), 0);
    ck_assert_uint_eq(finished(3, 1), 0);
    ck_assert_uint_eq(finished(3, 0), 1);
}
END_TEST

START_TEST(empty_groups_count) {
    copy(0, 4, 3);
    async_commit(async, 3);
    async_commit(async, 3);
    ck_assert_uint_eq(finished(3, 1), 1);
}
END_TEST

START_TEST(wait_is_of_one_thread) {
    copy(0, 4, 3);
    copy(4, 4, READER);
    async_commit(async, 3);
    async_commit(async, READER);
    ck_assert_uint_eq(finished(3, 0), 1);
    ck_assert(meets(4, 4, READER));
}
END_TEST

START_TEST(next_block_starts_with_none) {
    struct block_place place = rig_block(0, 1);
    copy(0, 4, 3);
    async_block_begin(async, &place);
    ck_assert(!meets(0, 4, 3));
    ck_assert_uint_eq(async->count, 0);
    ck_assert_uint_eq(finished(3, 0), 0);
}
END_TEST

START_TEST(oldest_of_very_many_is_lost_and_nothing_else) {
    for (uint32_t i = 0; i < ASYNC_COPIES_MAX + 1; i++) {
        copy(4 * (int64_t)i, 4, 3);
    }
    ck_assert(!meets(0, 4, 3));
    ck_assert(meets(4, 4, 3));
    ck_assert(meets(4 * ASYNC_COPIES_MAX, 4, 3));
    async_commit(async, 3);
    ck_assert_uint_eq(finished(3, 0), ASYNC_COPIES_MAX);
    ck_assert_uint_eq(async->count, 0);
}
END_TEST

SUITE() {
    const TTest *const tests[] = {
        own_read_before_the_wait_is_found,
        others_meet_it_after_a_barrier,
        copy_that_is_not_committed_is_told_from_one_that_is,
        wait_leaves_the_last_groups_under_way,
        empty_groups_count,
        wait_is_of_one_thread,
        next_block_starts_with_none,
        oldest_of_very_many_is_lost_and_nothing_else,
    };
    Suite *suite = suite_create("async");
    TCase *tcase = tcase_create("async");
    tcase_add_checked_fixture(tcase, begin, done);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}

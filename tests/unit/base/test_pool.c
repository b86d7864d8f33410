// Threads that share a job: every item once, phases in order, one job after another.
#include "base/pool.h"
#include "suite.h"

#define ITEMS 1000

struct job {
    int done[ITEMS];
    int first_phase;  // items done
    int too_early;    // items of the second phase that began before all of the first were done
};

static void first(void *context, int item) {
    struct job *job = context;
    job->done[item]++;
    (void)__atomic_add_fetch(&job->first_phase, 1, __ATOMIC_SEQ_CST);
}

static void second(void *context, int item) {
    struct job *job = context;
    job->done[item] += 10;
    if (__atomic_load_n(&job->first_phase, __ATOMIC_SEQ_CST) != ITEMS) {
        (void)__atomic_add_fetch(&job->too_early, 1, __ATOMIC_SEQ_CST);
    }
}

static void run(int threads) {
    static const struct pool_phase phases[] = {{first, ITEMS}, {first, 0}, {second, ITEMS}};
    struct pool *pool = NULL;
    ck_assert_int_eq(pool_open(threads, threads > 1, &pool, NULL), STATUS_OK);
    for (int round = 0; round < 20; round++) {
        struct job job = {.first_phase = 0};
        pool_start(pool, phases, 3, &job);
        pool_wait(pool);
        pool_wait(pool);  // with no job, this returns immediately
        for (int i = 0; i < ITEMS; i++) {
            ck_assert_int_eq(job.done[i], 11);
        }
        ck_assert_int_eq(job.too_early, 0);
    }
    pool_close(pool);
}

START_TEST(each_item_is_done_once_and_phases_follow_each_other) {
    run(_i);
}
END_TEST

START_TEST(closing_ends_the_job_first) {
    struct job job = {.first_phase = 0};
    const struct pool_phase phase = {first, ITEMS};
    struct pool *pool = NULL;
    ck_assert_int_eq(pool_open(3, 0, &pool, NULL), STATUS_OK);
    pool_start(pool, &phase, 1, &job);
    pool_close(pool);
    ck_assert_int_eq(job.first_phase, ITEMS);
    pool_close(NULL);
}
END_TEST

START_TEST(a_job_without_items_is_done_at_once) {
    struct job job = {.first_phase = 0};
    const struct pool_phase phase = {first, 0};
    struct pool *pool = NULL;
    ck_assert_int_eq(pool_open(1, 0, &pool, NULL), STATUS_OK);
    pool_start(pool, &phase, 1, &job);
    pool_wait(pool);
    pool_close(pool);
    ck_assert_int_ge(pool_processors(), 1);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("pool");
    TCase *tests = tcase_create("pool");
    tcase_add_loop_test(tests, each_item_is_done_once_and_phases_follow_each_other, 1, 5);
    tcase_add_test(tests, closing_ends_the_job_first);
    tcase_add_test(tests, a_job_without_items_is_done_at_once);
    suite_add_tcase(suite, tests);
    return suite;
}

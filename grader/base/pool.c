// One lock guards all of the state; items are large enough (a block of rows) for that to cost
// nothing.
#include "base/pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"

#define NICENESS 10

struct pool {
    pthread_mutex_t lock;  // guards all that follows
    pthread_cond_t work;   // an item can be taken, or the pool closes
    pthread_cond_t idle;   // the job is done
    struct pool_phase phase[POOL_PHASES_MAX];
    void *context;
    int phase_count;
    int at;          // the phase under way; phase_count: none
    int next, done;  // its items that were taken, and that are done
    bool low, closing;
    int thread_count;
    pthread_t thread[POOL_THREADS_MAX];
};

int pool_processors(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? count : 1;
}

// Goes on to the next phase that has items.  The lock is held.
static void phase_next(struct pool *pool) {
    do {
        pool->at++;
    } while (pool->at < pool->phase_count && pool->phase[pool->at].item_count == 0);
    pool->next = 0;
    pool->done = 0;
    (void)pthread_cond_broadcast(&pool->work);  // also after the last phase: the pool may close
    if (pool->at == pool->phase_count) {
        (void)pthread_cond_broadcast(&pool->idle);
    }
}

static bool has_item(const struct pool *pool) {
    return pool->at < pool->phase_count && pool->next < pool->phase[pool->at].item_count;
}

static void *thread_run(void *argument) {
    struct pool *pool = argument;
    if (pool->low) {
        (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICENESS);
    }
    (void)pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!has_item(pool) && !(pool->closing && pool->at == pool->phase_count)) {
            (void)pthread_cond_wait(&pool->work, &pool->lock);
        }
        if (!has_item(pool)) {
            break;
        }
        const struct pool_phase *phase = &pool->phase[pool->at];
        int item = pool->next++;
        (void)pthread_mutex_unlock(&pool->lock);
        phase->work(pool->context, item);
        (void)pthread_mutex_lock(&pool->lock);
        if (++pool->done == phase->item_count) {
            phase_next(pool);
        }
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return NULL;
}

enum status pool_open(int thread_count, int low, struct pool **ret_pool, struct error *err) {
    assert(thread_count >= 1 && thread_count <= POOL_THREADS_MAX);
    struct pool *pool = xcalloc(1, sizeof *pool);
    pool->low = low != 0;
    (void)pthread_mutex_init(&pool->lock, NULL);
    (void)pthread_cond_init(&pool->work, NULL);
    (void)pthread_cond_init(&pool->idle, NULL);
    while (pool->thread_count < thread_count &&
           pthread_create(&pool->thread[pool->thread_count], NULL, thread_run, pool) == 0) {
        pool->thread_count++;
    }
    if (pool->thread_count == 0) {
        pool_close(pool);
        return fail(err, STATUS_SYSTEM, "cannot start a thread");
    }
    *ret_pool = pool;
    return STATUS_OK;
}

void pool_close(struct pool *pool) {
    if (!pool) {
        return;
    }
    (void)pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    (void)pthread_cond_broadcast(&pool->work);
    (void)pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->thread_count; i++) {
        (void)pthread_join(pool->thread[i], NULL);
    }
    (void)pthread_cond_destroy(&pool->idle);
    (void)pthread_cond_destroy(&pool->work);
    (void)pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void pool_start(struct pool *pool, const struct pool_phase *phases, int phase_count,
                void *context) {
    assert(phase_count >= 1 && phase_count <= POOL_PHASES_MAX);
    (void)pthread_mutex_lock(&pool->lock);
    assert(pool->at == pool->phase_count);
    memcpy(pool->phase, phases, (size_t)phase_count * sizeof *phases);
    pool->phase_count = phase_count;
    pool->context = context;
    pool->at = -1;
    phase_next(pool);
    (void)pthread_mutex_unlock(&pool->lock);
}

void pool_wait(struct pool *pool) {
    (void)pthread_mutex_lock(&pool->lock);
    while (pool->at < pool->phase_count) {
        (void)pthread_cond_wait(&pool->idle, &pool->lock);
    }
    (void)pthread_mutex_unlock(&pool->lock);
}

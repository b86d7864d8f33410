// Threads that share the items of a job, phase after phase, while the caller does something else.
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include "base/error.h"

// One phase of a job: work is called once for each item below item_count, by any thread, in any
// order.  A phase begins when all items of the one before it are done.
struct pool_phase {
    void (*work)(void *context, int item);
    int item_count;
};

#define POOL_PHASES_MAX  4
#define POOL_THREADS_MAX 16

struct pool;

// Processors that this process may use.
int pool_processors(void);

// Starts 1 to POOL_THREADS_MAX threads, at a lower priority than the caller's if `low`.
// Owns     the caller closes *ret_pool.   Errors  STATUS_SYSTEM.
enum status pool_open(int thread_count, int low, struct pool **ret_pool, struct error *err);

// Ends the job that is under way, then the threads.  NULL is fine.
void pool_close(struct pool *pool);

// Begins a job; none may be under way.  The phases are copied, context must live until pool_wait.
void pool_start(struct pool *pool, const struct pool_phase *phases, int phase_count, void *context);

// Waits until the job that was begun last is done.
void pool_wait(struct pool *pool);

#endif

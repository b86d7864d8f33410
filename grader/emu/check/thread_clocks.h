// A thread's knowledge of others: for a thread, warp or block, an epoch; all its accesses before
// that epoch are ordered before the knowing thread's next ones.  Only launches with fences have
// clocks (follow.h).
//
// Most threads know only their own block and the few threads that released something to them, so a
// clock is a sorted list of these.  A clock never changes, and threads share it.
#ifndef EMU_CHECK_THREAD_CLOCKS_H
#define EMU_CHECK_THREAD_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"

// The owner of an entry: a number that sorts a block before its warps and threads.
#define CLOCK_BLOCK_SHIFT 12
#define CLOCK_WARPS       1u
#define CLOCK_THREADS     (CLOCK_WARPS + THREADS_MAX / WARP_LANES)

struct clock;  // NULL: nothing is known

// The storage of clocks, in vaults.  Initialize it to zeros.  A read of many words asks for the
// same few threads again and again, so answers are remembered until a clock changes.
#define CLOCK_CLASSES     26   // of sizes: powers of two
#define CLOCK_ANSWERS_MAX 128  // a power of two
struct clock_pool {
    struct clock *unused[CLOCK_CLASSES];
    void *newest;      // the newest vault, which begins with the address of an older one
    uint64_t left;     // bytes of it
    uint64_t changes;  // of all clocks
    struct {
        const struct clock *clock;
        uint64_t who;
        uint64_t changes;  // when it was asked
        uint32_t epoch;
    } answer[CLOCK_ANSWERS_MAX];
};

// Forgets all clocks of the pool.
void clock_pool_clear(struct clock_pool *pool);

static inline uint64_t clock_of_block(uint64_t block) {
    return block << CLOCK_BLOCK_SHIFT;
}

static inline uint64_t clock_of_warp(uint64_t block, uint32_t warp) {
    return clock_of_block(block) + CLOCK_WARPS + warp;
}

static inline uint64_t clock_of_thread(uint64_t block, uint32_t thread) {
    return clock_of_block(block) + CLOCK_THREADS + thread;
}

// Adds or drops a reference to a clock.
struct clock *clock_share(struct clock *clock);
void clock_drop(struct clock **clock);

// Replaces *to by a reference to `from`.
void clock_assign(struct clock **to, struct clock *from);

// Adds all that `other` knows to *clock.
void clock_join(struct clock **clock, struct clock *other);

// The same for many threads with equal clocks that learn the same: joins are remembered.
// Initialize it to zeros.
#define CLOCK_JOINS_MAX 16u  // a power of two
struct clock_joins {
    struct {
        struct clock *one, *other, *joined;
    } at[CLOCK_JOINS_MAX];
};
void clock_join_again(struct clock_joins *joins, struct clock **clock, struct clock *other);

// Adds one entry.
void clock_learn(struct clock_pool *pool, struct clock **clock, uint64_t who, uint32_t epoch);

// The epoch before which all accesses of a thread are known; 0 for none.
uint32_t clock_epoch(const struct clock *clock, uint64_t block, uint32_t thread);

// The entry of the thread itself; 0 if only its warp or block has one, or none of them.
uint32_t clock_own_epoch(const struct clock *clock, uint64_t block, uint32_t thread);

// The number of entries; and the entry at `index`, which describes one thread: its block, its
// index and its epoch.
uint32_t clock_count(const struct clock *clock);
void clock_thread_at(const struct clock *clock, uint32_t index, uint64_t *ret_block,
                     uint32_t *ret_thread, uint32_t *ret_epoch);

#endif

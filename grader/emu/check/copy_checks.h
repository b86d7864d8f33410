// Checkers of copies under way.  No thread may touch shared memory that an asynchronous copy fills
// until the thread that began it has waited for it; nor may it touch shared memory that a bulk copy
// fills, or store to memory that a bulk copy still reads, unless it knows that the copy is done.
#ifndef EMU_CHECK_COPY_CHECKS_H
#define EMU_CHECK_COPY_CHECKS_H

#include "base/error.h"
#include "emu/check/follow.h"
#include "emu/memory/events.h"
#include "emu/memory/kernel_memory.h"
#include "emu/wire/finding.h"

#define ASYNC_COPIES_MAX 512  // copies of a thread in flight at most; a power of two

struct async_copy {
    uint64_t address;  // in shared memory
    uint64_t pc;       // place of the call
    uint64_t word;     // its index in the map
    uint32_t bytes;    // 4, 8 or 16
    uint32_t group;    // of this thread, from 0
    uint64_t time;     // async.time at the call
};

// Copies of a thread in the order of their calls, as a ring.
struct async_queue {
    uint32_t first;
    uint32_t count;
    uint32_t group;  // the group of the next copy
};

struct async {
    const struct launch_shape *shape;  // of this launch
    struct findings *findings;
    struct shared_map map;
    uint32_t *owner;   // by word: 0, or 1 + the index in `copy` of the copy that fills it
    uint32_t count;    // under way in this block
    uint64_t time;     // grows with every copy
    uint64_t barrier;  // when the last barrier was passed
    uint64_t warp_barrier[THREADS_MAX / WARP_LANES];  // when each warp last passed a __syncwarp()
    struct block_place place;
    struct async_queue queue[THREADS_MAX];
    struct async_copy *copy;  // ASYNC_COPIES_MAX for each thread
};

// Begins a launch; shape and findings are borrowed until the next one.  Errors: STATUS_NO_MEMORY.
enum status async_launch_begin(void *observer, const struct launch_shape *shape,
                               struct findings *findings, struct error *err);
void async_block_begin(void *observer, const struct block_place *place);

// The block passed a __syncthreads(); lanes of a warp passed a __syncwarp().
void async_barrier(struct async *async);
void async_warp_sync(struct async *async, uint32_t warp);

// A copy was called; `to` is its store to shared memory, in bounds and aligned to its size.  If the
// thread has ASYNC_COPIES_MAX copies in flight, its oldest one is no longer tracked.
void async_begin(struct async *async, const struct access *to);
// The thread closes a group; the copies since the last one belong to it.
void async_commit(struct async *async, uint32_t thread);
// Takes one copy that ends when the thread waits for all but its last `prior` groups.  The wait
// excludes copies that are not in a group yet.  Returns false if there is no such copy.
bool async_finish(struct async *async, uint32_t thread, uint64_t prior,
                  struct async_copy *ret_copy);

// The slow half of async_access; do not call it directly.
bool async_examine(struct async *async, const struct access *access);

// Reports an in-bounds access of shared memory to bytes of a copy in flight.  Returns true if it
// does: other checkers would only repeat the report.
static inline bool async_access(struct async *async, const struct access *access) {
    if (__builtin_expect(async->count == 0, 1)) {
        return false;
    }
    struct access copy = access_copy(access);
    return async_examine(async, &copy);
}

// Agents are numbered: first the mbarriers of the block; from here on each thread's groups, for
// copies that have read shared memory; then the same groups, for copies that have also stored.
#define BULK_AGENT_GROUPS (1u << 20)
#define BULK_AGENT_STORES (BULK_AGENT_GROUPS + THREADS_MAX)
#define BULK_AGENTS       (1u << 21)  // of a block
#define BULK_GROUPS_MAX   64u         // groups of a thread in flight at most; a power of two
#define BULK_STORES_MAX   1024u       // the last stores of a block, which are watched

// The copy that fills or reads a word.
struct bulk_word {
    uint64_t pc;
    uint32_t time;  // of the copy; no copy if this is not after bulk.block_time
    uint32_t agent;
    uint32_t thread;
    uint32_t block;         // that thread's
    uint32_t before_agent;  // of the copy that filled the word before
    uint32_t before_time;   // its time; no such copy if not after bulk.block_time
};

// When a thread closed its groups (a ring), and the thread's last copy from shared memory.
struct bulk_groups {
    struct access last;
    struct bulk_word copy;  // the same
    uint32_t count;
    uint32_t time[BULK_GROUPS_MAX];
};

// Global memory that a copy stores to.
struct bulk_store {
    uint64_t address;
    uint64_t end;
    struct bulk_word copy;
};

struct bulk {
    const struct launch_shape *shape;  // of this launch
    struct findings *findings;
    struct shared_map map;
    struct bulk_word *filled;  // by word of shared memory
    struct bulk_word *read;
    uint32_t time;                    // grows with every copy
    uint32_t block_time;              // … as this block began
    const struct block_place *place;  // of the block that runs
    uint32_t first_agent;             // number of this block's first agent in clocks
    struct bulk_groups groups[THREADS_MAX];
    uint64_t store_count;                      // of this block
    uint64_t stored;                           // a bit for each array that contains these
    struct bulk_store store[BULK_STORES_MAX];  // a ring
};

// Begins a launch; shape and findings are borrowed until the next one.  Errors: STATUS_NO_MEMORY.
enum status bulk_launch_begin(void *observer, const struct launch_shape *shape,
                              struct findings *findings, struct error *err);
// `place` is borrowed; it is the place of the running block, even while another block of the
// cluster runs.
void bulk_block_begin(void *observer, const struct block_place *place);

// A copy stores to, or reads, this part of shared memory, in bounds and whole words.
void bulk_begin(struct bulk *bulk, const struct access *part, uint32_t agent);
// The copy that begins next stores to this part of global memory.
void bulk_stores(struct bulk *bulk, const struct access *part);
// The thread closes a group of its copies; or it waits for all but its last `prior` groups, until
// they have read shared memory or, without `reads_only`, have also stored.
void bulk_commit(struct bulk *bulk, uint32_t thread);
void bulk_wait(struct bulk *bulk, struct follow *follow, uint32_t thread, uint32_t prior,
               bool reads_only);

// The block has run to its end: reports the last copy of each thread that has not waited for it,
// as the next block may already store to the shared memory that the copy reads.
void bulk_block_end(void *observer);

// True if a bulk copy was the last to store to this word.
bool bulk_has_filled(const struct bulk *bulk, const struct access *word);

// Reports an in-bounds access of shared memory that comes before its thread knows that a copy is
// done.  Returns true if it does: other checkers would only repeat the report.
bool bulk_access(struct bulk *bulk, const struct follow *follow, const struct access *access);
// As bulk_access, for global memory to which copies of this block store.
bool bulk_examine_global(struct bulk *bulk, const struct follow *follow,
                         const struct access *access);
static inline bool bulk_access_global(struct bulk *bulk, const struct follow *follow,
                                      const struct access *access) {
    return (bulk->stored >> access->array & 1) != 0 && access->kind != ACCESS_WRITE &&
           bulk_examine_global(bulk, follow, access);
}

#endif

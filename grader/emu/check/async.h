// Checker: no thread may touch shared memory that an asynchronous copy fills until the thread that
// asked for the copy has waited for it.
//
// A copy is under way from its call until that thread's wait for its group.  By the rules of PTX it
// may store at any time in between, and no barrier ends it.  So any access to its bytes in that
// time is a race (FINDING_UNDER_WAY), even by the thread itself.
//
// The race checker handles the rest.  It sees the copy as two stores, one at the call and one at
// the wait.  So it reports conflicts after the wait.  It also reports conflicts with accesses that
// no barrier separates from the call: then the wait, or a barrier before the call, may be missing.
//
// Source: PTX ISA, "cp.async" and "Async proxy"; CUDA C++ Programming Guide, "Pipeline Primitives
// Interface".
#ifndef EMU_CHECK_ASYNC_H
#define EMU_CHECK_ASYNC_H

#include "base/error.h"
#include "emu/memory/events.h"
#include "emu/wire/findings.h"
#include "emu/memory/shared_map.h"

#define ASYNC_COPIES_MAX 256  // that one thread may have under way; a power of two

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
    uint32_t group;  // that the next copy belongs to
};

struct async {
    const struct launch_shape *shape;  // of this launch
    struct findings *findings;
    struct shared_map map;
    uint32_t *owner;    // by word: 0, or 1 + the index in `copy` of the copy that fills it
    uint64_t word_max;  // room in owner
    uint32_t count;     // under way in this block
    uint64_t time;      // grows with every copy
    uint64_t barrier;   // when the last barrier was passed
    uint64_t warp_barrier[THREADS_MAX / WARP_LANES];  // … and the last __syncwarp() of each warp
    struct block_place place;
    struct async_queue queue[THREADS_MAX];
    struct async_copy *copy;  // ASYNC_COPIES_MAX for each thread
};

// Errors: STATUS_NO_MEMORY.
enum status async_new(struct async **ret_async, struct error *err);
void async_free(struct async *async);

// Begins a launch; shape and findings are borrowed until async_launch_end.  Errors:
// STATUS_NO_MEMORY.
enum status async_launch_begin(struct async *async, const struct launch_shape *shape,
                               struct findings *findings, struct error *err);
void async_block_begin(struct async *async, const struct block_place *place);
void async_launch_end(struct async *async);

// The block passed a __syncthreads(); lanes of a warp passed a __syncwarp().
void async_barrier(struct async *async);
void async_warp_sync(struct async *async, uint32_t warp);

// A copy was called; `to` is its store to shared memory, in bounds and aligned to its size.  If the
// thread has ASYNC_COPIES_MAX under way, its oldest is no longer tracked.
void async_begin(struct async *async, const struct access *to);
// The thread closes a group; the copies since the last one belong to it.
void async_commit(struct async *async, uint32_t thread);
// Takes one copy that ends when the thread waits for all but its last `prior` groups.  The wait
// does not include copies that are in no group yet.  Returns false if there is none.
bool async_finish(struct async *async, uint32_t thread, uint64_t prior,
                  struct async_copy *ret_copy);

// The slow half of async_access, not to be called directly.
bool async_examine(struct async *async, const struct access *access);

// Reports an access of shared memory, in bounds, to bytes of a copy under way.  Returns true if it
// is one: other checkers would only repeat the report.
static inline bool async_access(struct async *async, const struct access *access) {
    if (__builtin_expect(async->count == 0, 1)) {
        return false;
    }
    struct access copy = access_copy(access);
    return async_examine(async, &copy);
}

#endif

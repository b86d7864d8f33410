// Checker: a thread must not touch the sums or the factors of a wgmma in flight before it has
// waited for the group.
//
// Sums are local arrays of a thread.  Their accesses are seen only in files with wgmma
// (hooks/place.h).  Two mistakes are found: an access while a wgmma computes them, and one between
// the last wgmma.fence and a wgmma that uses them, as sums or as A.
//
// Shared memory is read until the warpgroup has waited; a store before that, of threads or of
// copies, is a race.  As with bulk copies (copy_checks.h), a warpgroup is an agent of the clocks of
// follow.h: after the wait each of its threads knows that all reads are done, and passes this on.
//
// Source: PTX ISA, "wgmma.mma_async", "wgmma.fence" and "wgmma.wait_group".
#ifndef EMU_CHECK_WGMMA_H
#define EMU_CHECK_WGMMA_H

#include "base/error.h"
#include "emu/check/copy_checks.h"

#define WARPGROUP_THREADS 128u
#define WARPGROUPS_MAX    (THREADS_MAX / WARPGROUP_THREADS)
#define WGMMA_GROUPS_MAX  8u   // groups that wgmma.wait_group can distinguish
#define WGMMA_SUMS_MAX    16u  // arrays of sums of a thread in flight

// The last wgmma of a warpgroup that read 16 bytes of shared memory.
struct wgmma_read {
    uint32_t pc;    // a static program is at low addresses
    uint32_t time;  // no read if this is not after wgmma.block_time
};

// Registers: a local array of a thread.
struct wgmma_sums {
    uint64_t address;
    uint64_t pc;  // of the wgmma
    uint32_t bytes;
    uint32_t time;
};

struct wgmma_thread {
    uint32_t count;
    struct wgmma_sums sums[WGMMA_SUMS_MAX];
    uint64_t low, high;  // accesses since the last fence are between these; 0: none
    uint32_t *pc;        // by word of its stack, the place of that access; 0: none
    uint64_t stack;      // where that starts
};

struct wgmma_warpgroup {
    bool fenced;
    uint32_t done;   // every wgmma begun up to this time has been waited for
    uint32_t count;  // of groups
    uint32_t time[WGMMA_GROUPS_MAX];
};

struct wgmma {
    const struct launch_shape *shape;  // of this launch
    struct findings *findings;
    struct shared_map map;
    struct wgmma_read *read;  // by 16 bytes and warpgroup
    uint32_t *pcs;            // of all threads
    uint32_t time;            // grows with every wgmma
    uint32_t block_time;      // the time when this block began
    struct block_place place;
    const struct block_place *runs;  // the block that runs: this one, or another of the cluster
    uint32_t first_agent;            // as in struct bulk
    struct wgmma_warpgroup warpgroup[WARPGROUPS_MAX];
    struct wgmma_thread thread[THREADS_MAX];
};

// Begins a launch; shape and findings are borrowed until the next one.  Errors: STATUS_NO_MEMORY.
enum status wgmma_launch_begin(void *observer, const struct launch_shape *shape,
                               struct findings *findings, struct error *err);
void wgmma_block_begin(void *observer, const struct block_place *place);
// Where the stack of a thread starts, once the launch has begun.
void wgmma_stack(struct wgmma *wgmma, uint32_t thread, uint64_t start);

// Calls of a whole warpgroup whose first thread is `first`.
void wgmma_fence(struct wgmma *wgmma, uint32_t first);
void wgmma_commit(struct wgmma *wgmma, uint32_t first);
void wgmma_wait(struct wgmma *wgmma, struct follow *follow, uint32_t first, uint32_t prior);

// A wgmma of a warpgroup begins.  The next three follow it: it uses these registers of a thread, as
// sums or as A; it computes them; it reads 16 bytes of shared memory.
void wgmma_begin(struct wgmma *wgmma, uint32_t first, uint64_t pc);
void wgmma_uses(struct wgmma *wgmma, uint32_t thread, uint64_t address, uint32_t bytes,
                uint64_t pc);
void wgmma_computes(struct wgmma *wgmma, uint32_t thread, uint64_t address, uint32_t bytes,
                    uint64_t pc);
void wgmma_reads(struct wgmma *wgmma, uint32_t first, const struct access *piece);

// An access to a local array of the running thread; and an in-bounds access of shared memory, which
// returns true if it is reported.
void wgmma_local(struct wgmma *wgmma, uint32_t thread, uint64_t address, uint32_t bytes,
                 enum access_kind kind, uint64_t pc);
bool wgmma_access(struct wgmma *wgmma, const struct follow *follow, const struct access *access);

#endif

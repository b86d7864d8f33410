// Counts requests, sectors and wavefronts as Nsight Compute does: by warp instruction.
//
// Threads run one after the other here, so each lane keeps a log of its accesses, and the logs of a
// warp are merged to warp instructions whenever its lanes have come to the same point.
#ifndef EMU_COUNT_COUNT_H
#define EMU_COUNT_COUNT_H

#include "base/error.h"
#include "emu/count/join.h"
#include "emu/memory/events.h"
#include "emu/count/flops.h"

#define COUNT_LOG_MAX                                                                              \
    64  // accesses a lane may be ahead; bits of a uint64_t.  Longer logs fall out of the cache
#define COUNT_MEMO_MAX 1024  // a power of two

// An entry's key: site (16 bits), then these.
#define COUNT_KEY_SITE   16
#define COUNT_KEY_STORE  1u
#define COUNT_KEY_SHARED 2u
#define COUNT_KEY_BYTES  2  // shift of the size, 1 to 16
#define COUNT_KEY_ATOMIC (1u << 8)
#define COUNT_KEY_COPY   (1u << 9)  // of a memo: an asynchronous copy

#define COUNT_SITES_MAX 2048  // instructions whose work is told apart by place

// The accesses of one warp that are not yet merged, side by side by position.
struct count_warp {
    uint32_t live;                                // lanes that have not returned
    uint32_t length[WARP_LANES];                  // entries of each lane
    uint32_t address[COUNT_LOG_MAX][WARP_LANES];  // the low half: it tells sectors and banks apart
    uint32_t key[COUNT_LOG_MAX][WARP_LANES];
};

// The cost of a pattern of addresses seen before.
struct count_memo {
    uint32_t key;  // 0: empty
    uint32_t mask;
    uint32_t phase;              // of the first address in its sector
    uint32_t delta[WARP_LANES];  // to the first address
    uint32_t passes;             // sectors or wavefronts
    uint32_t ideal;
    uint32_t wavefronts;           // of global memory, in the L1 cache
    struct count_pattern pattern;  // of loads of one word a lane from shared memory
};

// Sums of one kind of request at one instruction.
struct count_tally {
    uint64_t requests;
    uint64_t passes;
    uint64_t ideal;
    uint64_t bytes;
    uint64_t lanes;
    uint64_t wavefronts;  // of global memory
};

struct count {
    const struct launch_shape *shape;  // of this launch
    uint32_t warp_count;
    uint64_t barriers;
    uint64_t blocks;
    uint64_t threads;
    uint64_t flops_before;                    // of the file, when the running thread's turn began
    uint64_t thread_flops[THREADS_MAX];       // of this block
    uint64_t flop_slots;                      // see counts.h
    uint64_t block_passes, block_passes_max;  // of this block so far, of any before it
    uint32_t sites;                           // below: those with work in this launch
    struct count_join join;                   // shared loads as the compiler joins them
    uint64_t pc[COUNT_SITES_MAX];  // of each site; that of number 0 and above the last is not known
    uint8_t copies[COUNT_SITES_MAX];  // 1: its stores are those of asynchronous copies
    struct count_tally tally[COUNT_SITES_MAX][COUNT_KINDS];
    struct count_memo memo[COUNT_MEMO_MAX];
    struct count_warp warp[THREADS_MAX / WARP_LANES];
};

// Errors: STATUS_NO_MEMORY.
enum status count_new(struct count **ret_count, struct error *err);
void count_free(struct count *count);

// Begins a launch; shape is borrowed until count_launch_end.
void count_launch_begin(struct count *count, const struct launch_shape *shape);
void count_block_begin(struct count *count, const struct block_place *place);

// A __syncthreads() that all live threads of the block passed.
void count_barrier(struct count *count);
// Any collective of a warp (__syncwarp, shuffle, vote) that all live lanes in lane_mask passed.
void count_warp_sync(struct count *count, uint32_t warp, uint32_t lane_mask);
// Another thread's turn comes, or the block has ended: what was computed is the last one's.
static inline void count_turn(struct count *count, uint32_t thread) {
    uint64_t flops = flops_of_all();
    count->thread_flops[thread] += flops - count->flops_before;
    count->flops_before = flops;
}

// A thread of the block returned.
void count_exit(struct count *count, uint32_t thread);
void count_block_end(struct count *count);
// Ends the launch; *ret_counts are its sums.
void count_launch_end(struct count *count, struct counts *ret_counts);

// The shared stores at this place are those of asynchronous copies.
static inline void count_copy_site(struct count *count, uint32_t site) {
    count->copies[site < COUNT_SITES_MAX ? site : 0] = 1;
}

// Makes room in the log of a lane that is full although all others had their turn.  Not for
// callers.
void count_make_room(struct count_warp *warp, struct count *count, uint32_t lane);

// Logs one access of shared or global memory; others are not counted.
//
// Returns  true where the log of this lane is now full: the machine lets every other thread of the
// warp that can run do
//          so before this one goes on.  (If it does not, the figures are still deterministic, but
//          lanes of one instruction may be counted as several.)
static inline __attribute__((always_inline)) bool count_access(struct count *count,
                                                               const struct access *access) {
    if (access->space != SPACE_GLOBAL && access->space != SPACE_SHARED) {
        return false;
    }
    if (access->site < COUNT_SITES_MAX) {
        count->pc[access->site] = access->pc;
    }
    struct count_warp *warp = &count->warp[access->thread / WARP_LANES];
    uint32_t lane = access->thread % WARP_LANES;
    if (__builtin_expect(warp->length[lane] == COUNT_LOG_MAX, 0)) {
        count_make_room(warp, count, lane);
    }
    uint32_t at = warp->length[lane]++;
    warp->address[at][lane] = (uint32_t)access->address;
    warp->key[at][lane] = access->site << COUNT_KEY_SITE | access->bytes << COUNT_KEY_BYTES |
                          (access->space == SPACE_SHARED ? COUNT_KEY_SHARED : 0) |
                          (access->kind == ACCESS_WRITE ? COUNT_KEY_STORE : 0) |
                          (access->kind == ACCESS_ATOMIC ? COUNT_KEY_ATOMIC : 0);
    return at + 1 == COUNT_LOG_MAX;
}

#endif

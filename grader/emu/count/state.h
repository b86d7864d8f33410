// The data of the counter: what a block has of its own, such as the accesses of each lane that are
// not yet merged, the cost of patterns of addresses, and the sums.
#ifndef EMU_COUNT_STATE_H
#define EMU_COUNT_STATE_H

#include <stdint.h>

#include "emu/count/join.h"
#include "emu/memory/events.h"
#include "emu/wire/counts.h"

// Accesses that a lane may be ahead: bits of a uint64_t.  Longer logs would exceed the cache.
#define COUNT_LOG_MAX   64
#define COUNT_MEMO_MAX  1024  // a power of two
#define COUNT_USUAL_MAX 1024  // a power of two

// An entry's key: site (16 bits), then these.
#define COUNT_KEY_SITE   16
#define COUNT_KEY_STORE  1u
#define COUNT_KEY_SHARED 2u
#define COUNT_KEY_BYTES  2  // shift of the size, 1 to 16
#define COUNT_KEY_ATOMIC (1u << 8)
#define COUNT_KEY_COPY   (1u << 9)  // of a memo: an asynchronous copy

// Sums of emu/count/flops.h that are kept for each thread: FLOPS_ALL, FLOPS_INTEGERS, FLOPS_OTHERS,
// FLOPS_LOOPS, FLOPS_IDLE.
#define COUNT_SUMS  5
#define COUNT_LOOPS 3
#define COUNT_IDLE  4

#define COUNT_GROUPS 8  // of cp.async that are distinguished: a power of two

#define COUNT_SITES_MAX 2048  // instructions with sums of their own

// The accesses of one warp that are not yet merged, side by side by position.
struct count_warp {
    uint32_t live;                                           // lanes that have not returned
    enum { COUNT_AHEAD, COUNT_LOADED, COUNT_SETTLED } wait;  // since the last barrier: see counts.h
    uint32_t length[WARP_LANES];                             // entries of each lane
    uint32_t address[COUNT_LOG_MAX][WARP_LANES];  // the low half: enough for sectors and banks
    uint32_t key[COUNT_LOG_MAX][WARP_LANES];
    // Iterations of loops, modulo 256: before each access, and as the lanes last met.
    uint8_t loops[COUNT_LOG_MAX][WARP_LANES];
    uint8_t loops_met[WARP_LANES];
    uint64_t flops_met;  // of the lane with most of them, at the last barrier
};

// The keys in the logs of a warp whose lanes have parted, by number.
#define COUNT_KEYS_MAX  (COUNT_LOG_MAX * WARP_LANES)
#define COUNT_KEY_SLOTS 4096  // a power of two, more than there are keys
struct count_keys {
    uint32_t count;
    uint32_t key[COUNT_KEYS_MAX];
    uint32_t lanes[COUNT_KEYS_MAX];                // that have the key
    uint64_t entries[COUNT_KEYS_MAX][WARP_LANES];  // of each lane that have the key, by position
    uint16_t number[COUNT_LOG_MAX][WARP_LANES];    // of the key of an entry
    uint16_t slot[COUNT_KEY_SLOTS];                // by hash: one more than a number; 0: none
};

// The cost of a pattern of addresses seen before.
struct count_memo {
    uint32_t key;  // 0: empty
    uint32_t mask;
    uint32_t phase;              // offset of the first address in its sector
    uint32_t delta[WARP_LANES];  // to the first address
    uint32_t passes;             // sectors or wavefronts
    uint32_t ideal;
    uint32_t wavefronts;           // of global memory, in the L1 cache
    struct count_pattern pattern;  // of loads of one word per lane from shared memory
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

// The array that the last access of an instruction was in, and the key of its entry.
struct count_usual {
    uint64_t instruction;  // 0: none
    uint64_t start;
    uint64_t room;  // bytes of the array, less those of the access
    uint32_t key;
};

// What is counted of one block and its threads until the block ends.
struct count_block {
    struct count_block *next;                // of those that no block uses
    uint64_t done[THREADS_MAX][COUNT_SUMS];  // by each thread
    // Of each thread: tensor_calls at its last cp.async, and at the last one before each commit.
    uint64_t copied_at[THREADS_MAX], group_at[THREADS_MAX][COUNT_GROUPS];
    uint32_t groups[THREADS_MAX];  // committed
    // The sum over warps of flops_met, and that over the stretches between barriers of what the
    // warp with most of them has done there.
    uint64_t warps_flops, longest_flops;
    uint64_t passes;         // so far: see block_passes_max in counts.h
    struct count_join join;  // shared loads as the compiler joins them
    struct count_warp warp[THREADS_MAX / WARP_LANES];
};

struct count {
    const struct launch_shape *shape;  // of this launch
    uint32_t warp_count;
    uint64_t barriers;
    uint64_t blocks;
    uint64_t threads;
    uint32_t running;             // the thread whose turn it is
    uint8_t loops;                // its iterations are these and FLOPS_LOOPS
    uint64_t before[COUNT_SUMS];  // of the file, as that turn began
    uint64_t slots[COUNT_SUMS];   // see counts.h
    // See counts.h.
    uint64_t tensor_flops, tensor_calls, shuffled, waits, working_blocks, working_warps, turns;
    uint64_t idle_ns, copies_awaited, copies_ahead, bulk_copies;
    uint64_t joined_requests, joined_wavefronts, joined_ideal, block_passes_max;
    uint32_t sites;                   // all with work in this launch are below this
    uint64_t pc[COUNT_SITES_MAX];     // of each site; not known for number 0, nor for further sites
    uint8_t copies[COUNT_SITES_MAX];  // 1: its stores belong to asynchronous copies
    struct count_tally tally[COUNT_SITES_MAX][COUNT_KINDS];
    struct count_memo memo[COUNT_MEMO_MAX];
    struct count_usual usual[COUNT_USUAL_MAX];
    uint32_t *length;  // of the running thread's log, and its first address: the other addresses
    uint32_t *log;     // and the keys are at fixed distances from it
    uint8_t *log_loops;
    struct count_keys keys;
    struct count_block *block;  // of the block that runs
    struct count_block *spare;  // the first that no block uses
};

#endif

// Counts requests, sectors and wavefronts as Nsight Compute does: by warp instruction.  Accesses of
// the lanes of a warp are logged, and merged into warp instructions whenever its lanes have reached
// the same point; vectorized loads of shared memory are joined as the compiler joins them.
#ifndef EMU_COUNT_COUNT_H
#define EMU_COUNT_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/limits.h"
#include "emu/count/count_flops.h"
#include "emu/memory/events.h"
#include "emu/wire/counts.h"

#define COUNT_CHUNK_BYTES 16
#define COUNT_CHUNK_WORDS 4
#define COUNT_CHUNKS_MAX  128  // pieces that a warp loads between two barriers; a power of two

// The addresses of one request, and its cost in each width.
struct count_pattern {
    uint32_t id;    // hash of the offsets between lanes and of the mask; 0: cannot be joined
    uint32_t mask;  // the active lanes
    uint32_t word;  // wavefronts with one word per lane
    uint32_t two;   // with two words, from a multiple of 8 bytes; 0: offsets do not allow it
    uint32_t four;  // with four words, from a multiple of 16 bytes; 0: offsets do not allow it
};

// The words of an aligned piece of 16 bytes that a warp has loaded since the last barrier.
struct count_chunk {
    uint32_t place;  // address / 16 of the first lane
    struct count_pattern pattern;
    uint32_t words;  // bit per word; 0: empty
};

struct count_join {
    uint64_t requests;
    uint64_t wavefronts;
    uint64_t ideal;  // minimum wavefronts for the bytes of these joined requests
    uint32_t used_count[THREADS_MAX / WARP_LANES];
    uint8_t used[THREADS_MAX / WARP_LANES][COUNT_CHUNKS_MAX];  // indices in chunk
    struct count_chunk chunk[THREADS_MAX / WARP_LANES][COUNT_CHUNKS_MAX];
};

// The pattern of a load of 4 bytes per lane.  Shapes: as for count_wavefronts.
struct count_pattern count_pattern_of(const uint32_t address[WARP_LANES], uint32_t mask,
                                      uint32_t wavefronts);

// One load of 4 bytes per lane; address is that of lane 0 (if it is inactive, that of an active
// lane).
void count_join_load(struct count_join *join, uint32_t warp, const struct count_pattern *pattern,
                     uint32_t address);

// One load of another width, which is not joined.
static inline void count_join_other(struct count_join *join, uint32_t wavefronts, uint32_t ideal) {
    join->requests++;
    join->wavefronts += wavefronts;
    join->ideal += ideal;
}

// A barrier, or the end of the block: counts the words that were not joined.
void count_join_flush(struct count_join *join, uint32_t warp);

// The most accesses that a lane may be ahead, one bit each of a uint64_t.  Longer logs would not
// fit in the cache.
#define COUNT_LOG_MAX   64
#define COUNT_MEMO_MAX  1024  // a power of two
#define COUNT_USUAL_MAX 1024  // a power of two

// An entry's key: site (16 bits), then these.
#define COUNT_KEY_SITE   16
#define COUNT_KEY_STORE  1u
#define COUNT_KEY_SHARED 2u
#define COUNT_KEY_BYTES  2  // bit position of the access size; sizes are 1 to 16 bytes
#define COUNT_KEY_ATOMIC (1u << 8)
#define COUNT_KEY_COPY   (1u << 9)  // in a memo: an asynchronous copy

// Sums of emu/count/count_flops.h that each thread has: FLOPS_ALL, FLOPS_INTEGERS, FLOPS_OTHERS,
// FLOPS_LOOPS, FLOPS_IDLE.
#define COUNT_SUMS  5
#define COUNT_LOOPS 3
#define COUNT_IDLE  4

#define COUNT_GROUPS 8  // groups of cp.async that are distinguished: a power of two

#define COUNT_SITES_MAX 2048  // instructions with sums of their own

// The accesses of one warp that are not yet merged, lane by lane at each position.
struct count_warp {
    uint32_t live;                                           // lanes that have not returned
    enum { COUNT_AHEAD, COUNT_LOADED, COUNT_SETTLED } wait;  // since the last barrier: see counts.h
    uint32_t length[WARP_LANES];                             // entries of each lane
    uint32_t address[COUNT_LOG_MAX][WARP_LANES];  // the low half: enough for sectors and banks
    uint32_t key[COUNT_LOG_MAX][WARP_LANES];
    // Iterations of loops, modulo 256: before each access, and when the lanes last met.
    uint8_t loops[COUNT_LOG_MAX][WARP_LANES];
    uint8_t loops_met[WARP_LANES];
    uint64_t flops_met;  // of the lane with the most, at the last barrier
};

// The keys in the logs of a warp whose lanes have parted, by number.
#define COUNT_KEYS_MAX  (COUNT_LOG_MAX * WARP_LANES)
#define COUNT_KEY_SLOTS 4096  // a power of two, greater than the number of keys
struct count_keys {
    uint32_t count;
    uint32_t key[COUNT_KEYS_MAX];
    uint32_t lanes[COUNT_KEYS_MAX];                // that have the key
    uint64_t entries[COUNT_KEYS_MAX][WARP_LANES];  // of each lane that have the key, by position
    uint16_t number[COUNT_LOG_MAX][WARP_LANES];    // of the key of an entry
    uint16_t slot[COUNT_KEY_SLOTS];                // by hash: the number of a key plus 1; 0: none
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

// The counts of one block and its threads until the block ends.
struct count_block {
    struct count_block *next;                // of those that no block uses
    uint64_t done[THREADS_MAX][COUNT_SUMS];  // by each thread
    // By thread: tensor_calls at its last cp.async, and at the last cp.async before each commit.
    uint64_t copied_at[THREADS_MAX], group_at[THREADS_MAX][COUNT_GROUPS];
    uint32_t groups[THREADS_MAX];  // committed
    // The sum of flops_met over all warps; and, summed over the stretches between barriers, the
    // operations of the warp that did most there.
    uint64_t warps_flops, longest_flops;
    uint64_t passes;         // so far: see block_passes_max in counts.h
    struct count_join join;  // shared loads as the compiler joins them
    struct count_warp warp[THREADS_MAX / WARP_LANES];
};

struct count {
    const struct launch_shape *shape;  // of this launch
    uint32_t warp_count;
    struct counts sums;               // of this launch, in part
    uint32_t running;                 // the thread whose turn it is
    uint8_t loops;                    // its iterations are these plus FLOPS_LOOPS
    uint64_t before[COUNT_SUMS];      // the file's sums when that turn began
    uint64_t slots[COUNT_SUMS];       // see counts.h
    uint32_t sites;                   // all with work in this launch are below this
    uint64_t pc[COUNT_SITES_MAX];     // of each site; not known for number 0, nor for further sites
    uint8_t copies[COUNT_SITES_MAX];  // 1: its stores belong to asynchronous copies
    struct count_tally tally[COUNT_SITES_MAX][COUNT_KINDS];
    struct count_memo memo[COUNT_MEMO_MAX];
    struct count_usual usual[COUNT_USUAL_MAX];
    uint32_t *length;  // the running thread's log: its length and its first address; other
                       // addresses
    uint32_t *log;     // and the keys are at fixed distances
    uint8_t *log_loops;
    struct count_keys keys;
    struct count_block *block;  // of the block that runs
    struct count_block *spare;  // the first that no block uses
};

// Merges and counts all entries of a warp whose lanes are at one point.
void count_merge_all(struct count *count, struct count_warp *warp);

// Makes room in the full log of a lane, after all other lanes have had a turn.
void count_make_room(struct count_warp *warp, struct count *count, uint32_t lane);

// Begins a launch; shape is borrowed until count_launch_end.  Errors: STATUS_NO_MEMORY.
enum status count_launch_begin(void *observer, const struct launch_shape *shape,
                               struct findings *findings, struct error *err);
void count_block_begin(void *observer, const struct block_place *place);

// All live threads of the block passed a __syncthreads().
void count_barrier(struct count *count);
// All live lanes in lane_mask passed a collective of the warp (__syncwarp, shuffle, vote).
void count_warp_sync(struct count *count, uint32_t warp, uint32_t lane_mask);
// The turn of `thread` begins: all operations and instructions before it belong to the previous
// thread.
static inline void count_turn(struct count *count, uint32_t thread) {
    for (int i = 0; i < COUNT_SUMS; i++) {
        uint64_t now = emu_flops[FLOPS_ALL + i];
        count->block->done[count->running][i] += now - count->before[i];
        count->before[i] = now;
    }
    count->running = thread;
    count->loops = (uint8_t)(count->block->done[thread][COUNT_LOOPS] - count->before[COUNT_LOOPS]);
}

// A thread of the block returned.
void count_exit(struct count *count, uint32_t thread);
void count_block_end(void *observer);
// The block waits while others run, or runs again.  Its counts do not change in between: its lanes
// continue where they were.
//
// Returns  NULL if there is no memory.
// Owns     the caller: until count_block_back or vault_free.
struct count_block *count_block_away(struct count *count);
void count_block_back(struct count *count, struct count_block *block);
// Ends the launch; *ret_counts are its sums.
void count_launch_end(struct count *count, struct counts *ret_counts);

// The shared stores at this place belong to asynchronous copies.
static inline void count_copy_site(struct count *count, uint32_t site) {
    count->copies[site < COUNT_SITES_MAX ? site : 0] = 1;
}

// The running thread starts a cp.async; closes a group of these; waits until at most `prior` of its
// groups are in flight.
void count_async(struct count *count, uint32_t thread);
void count_commit(struct count *count, uint32_t thread);
void count_wait(struct count *count, uint32_t thread, uint64_t prior);
// A thread waits for a copy that began when tensor_calls was `begun`.
static inline void count_awaited(struct count *count, uint64_t begun) {
    count->sums.copies_awaited += count->sums.tensor_calls == begun;
    count->sums.copies_ahead += count->sums.tensor_calls > begun;
}

// One side of a bulk copy: a request of one lane for all its bytes, which are contiguous.
void count_bulk(struct count *count, uint32_t site, const struct access *side, uint32_t bytes);
// The same for bytes that are not contiguous in global memory; for shared memory `sectors` is
// ignored.
void count_bulk_rows(struct count *count, uint32_t site, const struct access *side, uint32_t bytes,
                     uint64_t sectors);

// The key of an entry.
static inline uint32_t count_key(const struct access *access) {
    return access->site << COUNT_KEY_SITE | access->bytes << COUNT_KEY_BYTES |
           (access->space == SPACE_SHARED ? COUNT_KEY_SHARED : 0) |
           (access->kind == ACCESS_WRITE ? COUNT_KEY_STORE : 0) |
           (access->kind == ACCESS_ATOMIC ? COUNT_KEY_ATOMIC : 0);
}

static inline struct count_usual *count_usual_of(struct count *count, uint64_t instruction) {
    return &count->usual[instruction % COUNT_USUAL_MAX];
}

// Another thread runs.
static inline void count_thread(struct count *count, uint32_t thread) {
    struct count_warp *warp = &count->block->warp[thread / WARP_LANES];
    count->length = &warp->length[thread % WARP_LANES];
    count->log = &warp->address[0][thread % WARP_LANES];
    count->log_loops = &warp->loops[0][thread % WARP_LANES];
}

// Logs one more access of an instruction by the running thread, unless it would fill the log: then
// it does nothing and returns false.
static inline __attribute__((always_inline)) bool count_again(struct count *count, uint64_t address,
                                                              uint32_t key) {
    const uint64_t keys =
        (offsetof(struct count_warp, key) - offsetof(struct count_warp, address)) /
        sizeof(uint32_t);
    uint64_t at = *count->length;
    if (__builtin_expect(at >= COUNT_LOG_MAX - 1, 0)) {
        return false;
    }
    *count->length = (uint32_t)at + 1;
    uint32_t *entry = &count->log[at * WARP_LANES];
    entry[0] = (uint32_t)address;
    entry[keys] = key;
    count->log_loops[at * WARP_LANES] = (uint8_t)(count->loops + emu_flops[FLOPS_LOOPS]);
    return true;
}

// Logs one access of shared or global memory; other accesses are not counted.
//
// Returns  true if the log of this lane is now full: then the machine must let all other threads of
//          the warp that can run do so before this one continues.  (Otherwise the counts are still
//          deterministic, but lanes of one instruction may count as several instructions.)
static inline __attribute__((always_inline)) bool count_access(struct count *count,
                                                               const struct access *access) {
    if (access->space != SPACE_GLOBAL && access->space != SPACE_SHARED) {
        return false;
    }
    if (access->site < COUNT_SITES_MAX) {
        count->pc[access->site] = access->pc;
    }
    struct count_warp *warp = &count->block->warp[access->thread / WARP_LANES];
    uint32_t lane = access->thread % WARP_LANES;
    if (__builtin_expect(warp->length[lane] == COUNT_LOG_MAX, 0)) {
        count_make_room(warp, count, lane);
    }
    uint32_t at = warp->length[lane]++;
    warp->address[at][lane] = (uint32_t)access->address;
    warp->loops[at][lane] = (uint8_t)(count->loops + emu_flops[FLOPS_LOOPS]);
    warp->key[at][lane] = count_key(access);
    return at + 1 == COUNT_LOG_MAX;
}

#endif

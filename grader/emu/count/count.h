// Counts requests, sectors and wavefronts as Nsight Compute does: by warp instruction.
//
// Threads run one after the other here.  So each lane keeps a log of its accesses, and the logs of
// a warp are merged into warp instructions whenever its lanes have reached the same point.
#ifndef EMU_COUNT_COUNT_H
#define EMU_COUNT_COUNT_H

#include <stddef.h>

#include "base/error.h"
#include "emu/count/flops.h"
#include "emu/count/merge.h"
#include "emu/count/state.h"

// Errors: STATUS_NO_MEMORY.
enum status count_new(struct count **ret_count, struct error *err);
void count_free(struct count *count);

// Begins a launch; shape is borrowed until count_launch_end.
void count_launch_begin(struct count *count, const struct launch_shape *shape);
void count_block_begin(struct count *count);

// All live threads of the block passed a __syncthreads().
void count_barrier(struct count *count);
// All live lanes in lane_mask passed a collective of the warp (__syncwarp, shuffle, vote).
void count_warp_sync(struct count *count, uint32_t warp, uint32_t lane_mask);
// It is the turn of `thread` now: the operations and other instructions until then were those of
// the thread that ran before it.
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
void count_block_end(struct count *count);
// The block waits while others run, and runs again.  What is counted of it does not change
// meanwhile: its lanes go on where they were.
//
// Returns  NULL if there is no memory.
// Owns     the caller: until count_block_back or count_block_free, which accepts NULL.
struct count_block *count_block_away(struct count *count);
void count_block_back(struct count *count, struct count_block *block);
void count_block_free(struct count_block *block);
// Ends the launch; *ret_counts are its sums.
void count_launch_end(struct count *count, struct counts *ret_counts);

// The shared stores at this place belong to asynchronous copies.
static inline void count_copy_site(struct count *count, uint32_t site) {
    count->copies[site < COUNT_SITES_MAX ? site : 0] = 1;
}

// The running thread has started a cp.async, has made a group of those so far, waits until at most
// `prior` of its groups are under way.
void count_async(struct count *count, uint32_t thread);
void count_commit(struct count *count, uint32_t thread);
void count_wait(struct count *count, uint32_t thread, uint64_t prior);
// A thread waits for a copy that began when tensor_calls was `begun`.
static inline void count_awaited(struct count *count, uint64_t begun) {
    count->copies_awaited += count->tensor_calls == begun;
    count->copies_ahead += count->tensor_calls > begun;
}

// A bulk copy has this side: a request of one lane that takes all its bytes, side by side.
void count_bulk(struct count *count, uint32_t site, const struct access *side, uint32_t bytes);
// The same for bytes that are not side by side in global memory; `sectors` is ignored in shared.
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

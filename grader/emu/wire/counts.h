// The work of the launches of a product, counted by the rules of Nsight Compute, for the source as
// written.
//
// Source: NVIDIA Nsight Compute, metrics l1tex__t_requests/sectors_pipe_lsu_mem_global_op_{ld,st,
// atom,red}, l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st,atom}, and, for the ideal counts,
// memory_l2_theoretical_sectors_global_ideal and memory_l1_wavefronts_shared_ideal; compared with
// an H200 access pattern by access pattern (tests/counters/patterns.h).  nvcc may merge adjacent
// shared loads, so a GPU may need fewer shared requests than counted here.
#ifndef EMU_WIRE_COUNTS_H
#define EMU_WIRE_COUNTS_H

#include <stdint.h>

#include "emu/wire/count_lines.h"

// X(field, what it counts).  All are sums over the launch.
#define COUNT_FIELDS(X)                                                                            \
    X(global_load_requests, "warp-level loads from global memory")                                 \
    X(global_load_sectors, "32-byte sectors those loads touch")                                    \
    X(global_load_ideal, "minimum sectors for the requested bytes")                                \
    X(global_load_bytes, "bytes the threads requested")                                            \
    X(global_load_wavefronts, "passes those loads take through the 32 banks of the L1 cache")      \
    X(global_store_requests, "warp-level stores to global memory")                                 \
    X(global_store_sectors, "32-byte sectors those stores touch")                                  \
    X(global_store_ideal, "minimum sectors for the bytes stored")                                  \
    X(global_store_bytes, "bytes the threads stored")                                              \
    X(global_store_wavefronts, "passes those stores take through the 32 banks of the L1 cache")    \
    X(global_atomic_requests, "warp-level atomic operations on global memory")                     \
    X(global_atomic_sectors, "32-byte sectors those take, with one address serialized")            \
    X(global_atomic_ideal, "minimum sectors for the bytes of those operations")                    \
    X(global_atomic_bytes, "bytes of those operations")                                            \
    X(shared_load_requests, "warp-level loads from shared memory")                                 \
    X(shared_load_wavefronts, "passes those loads take through the 32 banks")                      \
    X(shared_load_ideal, "minimum passes for the requested bytes")                                 \
    X(shared_load_bytes, "bytes the threads requested")                                            \
    X(shared_load_joined_requests,                                                                 \
      "loads, if the compiler joins neighbouring words into wider loads")                          \
    X(shared_load_joined, "passes of those joined loads")                                          \
    X(shared_load_joined_ideal, "minimum passes for the bytes of those joined loads")              \
    X(shared_store_requests, "warp-level stores to shared memory")                                 \
    X(shared_store_wavefronts, "passes those stores take")                                         \
    X(shared_store_ideal, "minimum passes for the bytes stored")                                   \
    X(shared_store_bytes, "bytes the threads stored")                                              \
    X(shared_atomic_requests, "warp-level atomic operations on shared memory")                     \
    X(shared_atomic_wavefronts, "passes those take, with one word serialized")                     \
    X(shared_atomic_ideal, "minimum passes for the bytes of those operations")                     \
    X(shared_atomic_bytes, "bytes of those operations")                                            \
    X(async_copies,                                                                                \
      "warp-level asynchronous copies; each also counts as a load and a shared store")             \
    X(memory_lanes, "threads that took part, summed over all requests")                            \
    X(flops, "additions, multiplications and other operations of float and double")                \
    X(flop_blocks, "blocks whose operations are in flops; 0: the operations are not known")        \
    X(tensor_flops, "multiplications and additions on tensor cores")                               \
    X(barriers, "warps arriving at __syncthreads")                                                 \
    X(block_passes_max, "passes through the L1 cache and shared memory, of the block with most")   \
    X(busiest_passes,                                                                              \
      "the same of the busiest SM, of the number that an exercise names; 0: it names none")        \
    X(blocks, "blocks run")                                                                        \
    X(threads, "threads run")

// The same for sums that only the judge needs.  Those of instructions are known if flops are.  A
// warp waits if it loads from global memory between two barriers, and then stores to shared memory
// with no load from there in between: the loads were not started ahead.
#define COUNT_JUDGE_FIELDS(X)                                                                      \
    X(flop_slots, "what warps had time for: 32 times the flops of each warp's busiest thread")     \
    X(integer_slots, "the same for integer instructions (emu/count/flops.h)")                      \
    X(other_slots, "the same for others, by weight")                                               \
    X(loop_slots, "the same for iterations of loops")                                              \
    X(tensor_calls, "warps multiplying on tensor cores")                                           \
    X(copies_awaited,                                                                              \
      "waits of threads for asynchronous copies without a multiplication on tensor cores since")   \
    X(copies_ahead, "the same with one")                                                           \
    X(bulk_copies, "bulk copies from or to global memory")                                         \
    X(idle_ns,                                                                                     \
      "time that the thread of each block that does so longest sleeps, waits for its fences and "  \
      "asks mbarriers")                                                                            \
    X(working_warps, "warps with flops at a time, of each block")                                  \
    X(shuffled, "words that threads got from others of their warp")                                \
    X(working_blocks, "blocks that loaded or stored something")                                    \
    X(waits, "stretches between barriers in which a warp waits for what it loads")                 \
    X(turns, "requests, by lanes that run in turns: after different numbers of iterations since "  \
             "lanes of the warp last met")

struct counts {
#define COUNT_MEMBER(field, text) uint64_t field;
    COUNT_FIELDS(COUNT_MEMBER)
    COUNT_JUDGE_FIELDS(COUNT_MEMBER)
#undef COUNT_MEMBER
    struct count_lines lines;
};

// Sums of all kinds of memory requests.
static inline uint64_t counts_requests(const struct counts *counts) {
    return counts->global_load_requests + counts->global_store_requests +
           counts->global_atomic_requests + counts->shared_load_requests +
           counts->shared_store_requests + counts->shared_atomic_requests;
}

// Passes of shared memory beyond the ideal ones.
static inline uint64_t counts_conflicts(const struct counts *counts) {
    return counts->shared_load_wavefronts - counts->shared_load_ideal +
           counts->shared_store_wavefronts - counts->shared_store_ideal +
           counts->shared_atomic_wavefronts - counts->shared_atomic_ideal;
}

// Adds the work of other blocks of the same program, in any order.
static inline void counts_add(struct counts *sum, const struct counts *more) {
    uint64_t most = sum->block_passes_max > more->block_passes_max ? sum->block_passes_max
                                                                   : more->block_passes_max;
#define COUNT_ADD(field, text) sum->field += more->field;
    COUNT_FIELDS(COUNT_ADD)
    COUNT_JUDGE_FIELDS(COUNT_ADD)
#undef COUNT_ADD
    sum->block_passes_max = most;
    count_lines_add(&sum->lines, &more->lines);
}

#endif

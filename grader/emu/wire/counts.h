// The work of the launches of a product, counted by the rules of Nsight Compute, for the source as
// it is written: in sums and by place; and the elements that the launches missed.
//
// The table by place is bounded and sorted, so that the tables of several processes can be added.
#ifndef EMU_WIRE_COUNTS_H
#define EMU_WIRE_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/wire/finding.h"

#define COUNT_LINES_MAX 64  // places in each table

// Kinds of memory instructions.
enum count_kind {
    COUNT_GLOBAL_LOAD,
    COUNT_GLOBAL_STORE,
    COUNT_GLOBAL_ATOMIC,
    COUNT_SHARED_LOAD,
    COUNT_SHARED_STORE,
    COUNT_SHARED_ATOMIC,
    COUNT_KINDS
};

// One place that accesses memory.
struct count_line {
    uint64_t pc;    // return address of its callback; 0 for places without an entry
    uint32_t kind;  // enum count_kind
    uint32_t line;  // of the source, filled in by the judge; 0 if not known
    uint64_t requests;
    uint64_t units;  // sectors of global memory, wavefronts of shared memory
    uint64_t ideal;
    uint64_t bytes;
    uint64_t lanes;
};

// The floating-point operations of one source line; line 0 is code whose line is not known.
struct count_flops {
    uint64_t line;
    uint64_t flops;
};

struct count_lines {
    uint32_t count;
    uint32_t flops_count;
    struct count_line access[COUNT_LINES_MAX];  // by pc, then kind
    struct count_flops flops[COUNT_LINES_MAX];  // by line
};

// Add one place to a table: to the entry with its pc and kind (with its line), or as a new entry.
void count_lines_put(struct count_lines *lines, const struct count_line *line);
void count_lines_put_flops(struct count_lines *lines, uint64_t line, uint64_t flops);

void count_lines_add(struct count_lines *sum, const struct count_lines *more);

// True if these functions can have made this table: checks bounds, order and kinds.
bool count_lines_check(const struct count_lines *lines);

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
// without having loaded from shared memory in between: the loads were not started ahead.
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

// The missed elements of one array: not read (A, B) or not written (C).  All 0 if none is missed.
// An atomic operation reads and writes.  An element counts as touched if any of its bytes was.
struct coverage_gap {
    uint64_t missing;       // elements
    uint32_t first[2];      // the smallest box around them all: row and column of its first
    uint32_t last[2];       // row and column of its last element
    uint32_t row_count;     // rows without any touched element
    uint32_t rows[2];       // the first and the last of these rows; both 0 if none
    uint32_t column_count;  // the same for columns
    uint32_t columns[2];
};

// Valid if all launches finished, with all checks; else all 0.
struct coverage {
    struct coverage_gap gap[MATRIX_COUNT];
};

#endif

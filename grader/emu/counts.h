// Work that a launch did, counted by the rules of Nsight Compute, as the source is written.
//
// Source: NVIDIA Nsight Compute, metrics l1tex__t_requests/sectors_pipe_lsu_mem_global_op_{ld,st}
// and memory_l1_wavefronts_shared(_ideal); compared with an H200 access pattern by access pattern.
// nvcc may merge adjacent shared loads, so a GPU may need fewer shared requests than counted here.
#ifndef EMU_COUNTS_H
#define EMU_COUNTS_H

#include <stdint.h>

// X(field, what it counts).  All are sums over the launch.
#define COUNT_FIELDS(X)                                                                            \
    X(global_load_requests, "warp-level loads from global memory")                                 \
    X(global_load_sectors, "32-byte sectors those loads touch")                                    \
    X(global_load_bytes, "bytes the threads asked for")                                            \
    X(global_load_wavefronts, "passes those loads take through the 32 banks of the L1 cache")      \
    X(global_store_requests, "warp-level stores to global memory")                                 \
    X(global_store_sectors, "32-byte sectors those stores touch")                                  \
    X(global_store_bytes, "bytes the threads stored")                                              \
    X(global_store_wavefronts, "passes those stores take through the 32 banks of the L1 cache")    \
    X(shared_load_requests, "warp-level loads from shared memory")                                 \
    X(shared_load_wavefronts, "passes those loads take through the 32 banks")                      \
    X(shared_load_ideal, "passes they would take without bank conflicts")                          \
    X(shared_load_joined_requests,                                                                 \
      "loads, where the compiler joins neighbouring words to wider ones")                          \
    X(shared_load_joined, "passes of those joined loads")                                          \
    X(shared_store_requests, "warp-level stores to shared memory")                                 \
    X(shared_store_wavefronts, "passes those stores take")                                         \
    X(shared_store_ideal, "passes they would take without bank conflicts")                         \
    X(barriers, "warps arriving at __syncthreads")                                                 \
    X(blocks, "blocks run")                                                                        \
    X(threads, "threads run")

struct counts {
#define COUNT_MEMBER(field, text) uint64_t field;
    COUNT_FIELDS(COUNT_MEMBER)
#undef COUNT_MEMBER
};

#endif

// Vectorized loads: the compiler joins loads of neighbouring words of shared memory by the same
// threads, with no barrier between them, into one instruction of 8 or 16 bytes per thread.  The
// counts are for the source as written; an estimate of time needs the joined loads.
//
// Source: seen in the machine code of NVRTC 13.0 for arrays that are aligned to 16 bytes, and in
// Nsight Compute on an H200 (the references at 512 and 500): the joined requests are equal, and so
// are the joined wavefronts of register_tiled; those of tiled are 0.1 % lower.  A compiler may join
// less in other kernels, so this is an estimate.  Loads from global memory are not joined, because
// the alignment of rows is not known.
#ifndef EMU_COUNT_JOIN_H
#define EMU_COUNT_JOIN_H

#include <stdint.h>

#include "base/limits.h"

#define COUNT_CHUNK_BYTES 16
#define COUNT_CHUNK_WORDS 4
#define COUNT_CHUNKS_MAX  128  // of one warp between two barriers; a power of two

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

#endif

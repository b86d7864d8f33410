// The cost of one warp instruction: sectors of global memory, passes through the banks of shared
// memory.
//
// Source: NVIDIA Nsight Compute documentation, Memory Tables (request, sector, wavefront), and its
// counts on an H200 for the patterns of tests/counters/patterns.h.
#ifndef EMU_COUNT_COUNT_RULES_H
#define EMU_COUNT_COUNT_RULES_H

#include <stdint.h>

#include "base/limits.h"

#define SECTOR_BYTES 32
#define BANK_COUNT   32
#define BANK_BYTES   4

#define WAVEFRONT_BYTES (BANK_COUNT * BANK_BYTES)  // the most bytes in one pass

// Shapes  address[lane], in bytes, aligned to the size of the access; counts only for lanes in
//         mask.
// Returns the number of distinct 32-byte sectors that loads or stores touch.
uint32_t count_sectors(const uint32_t address[WARP_LANES], uint32_t mask);

// The same for asynchronous copies: those of 16 bytes per lane are four quarters, which share no
// sector.  (Measured for 4 and 16 bytes; not measured on a GPU for 8.)
uint32_t count_copy_sectors(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask);

// The same for atomic operations: lanes at one address are serialized, so each sector counts once
// per access to its most frequent address.
uint32_t count_atomic_sectors(const uint32_t address[WARP_LANES], uint32_t mask);

// The minimum of units (sectors, wavefronts) for the bytes that the lanes in mask request, and at
// most `units`: Nsight Compute's "ideal".
uint32_t count_ideal(uint32_t mask, uint32_t bytes, uint32_t unit_bytes, uint32_t units);

// Wavefronts of a shared load of 1, 2, 4, 8 or 16 bytes per lane.  Loads of 4 bytes are served as
// one warp, those of 8 as two halves, those of 16 as four quarters; each takes as many passes as
// the busiest bank has distinct words.  Two halves, or the two quarters of a half, are served as
// one if every lane has the address of lane^1, or every lane that of lane^2.
//
// Returns  the passes; *ret_ideal is their count_ideal.
uint32_t count_wavefronts(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask,
                          uint32_t *ret_ideal);

// The same for a shared store: halves and quarters are never combined.
uint32_t count_store_wavefronts(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask,
                                uint32_t *ret_ideal);

// The same for a shared atomic operation: lanes at one word are serialized.  (Measured for integers
// of 4 bytes.  A GPU executes others as a loop, which is counted here as one instruction.)
uint32_t count_atomic_wavefronts(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask,
                                 uint32_t *ret_ideal);

#endif

// What one warp instruction costs: sectors of global memory, passes through the banks of shared
// memory.
//
// Source: NVIDIA Nsight Compute documentation, Memory Tables (request, sector, wavefront), and what
// it counts on an H200 for the patterns of tests/counters/patterns.h.
#ifndef EMU_COUNT_RULES_H
#define EMU_COUNT_RULES_H

#include <stdint.h>

#include "base/limits.h"

#define SECTOR_BYTES 32
#define BANK_COUNT   32
#define BANK_BYTES   4

#define WAVEFRONT_BYTES (BANK_COUNT * BANK_BYTES)  // the most that one passes

// Shapes  address[lane], in bytes, aligned to the size of the access; counts only for lanes in
//         mask.
// Returns the number of distinct 32-byte sectors that loads or stores touch.
uint32_t count_sectors(const uint32_t address[WARP_LANES], uint32_t mask);

// The same of asynchronous copies: those of 16 bytes a lane go as four quarters, which share no
// sector.  (Known of 4 and 16 bytes; of 8 it was not read on a GPU.)
uint32_t count_copy_sectors(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask);

// The same of atomic operations: lanes at one address go one after the other, so each sector
// counts as often as the address in it that most lanes have.
uint32_t count_atomic_sectors(const uint32_t address[WARP_LANES], uint32_t mask);

// The least units (sectors, wavefronts) for the bytes that the lanes in mask ask for, which are at
// most those that they take: Nsight Compute's "ideal".
uint32_t count_ideal(uint32_t mask, uint32_t bytes, uint32_t unit_bytes, uint32_t units);

// Wavefronts of a shared load of 1, 2, 4, 8 or 16 bytes a lane: 4 bytes pass as one warp, 8 as
// two halves, 16 as four quarters; each takes as many passes as the busiest bank has distinct
// words.  Two halves, or the two quarters of a half, go as one where every lane has the address of
// its neighbour lane^1 (or every lane that of lane^2).
//
// Returns  the passes; *ret_ideal is count_ideal of them.
uint32_t count_wavefronts(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask,
                          uint32_t *ret_ideal);

// The same of a shared store: halves and quarters never go as one.
uint32_t count_store_wavefronts(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask,
                                uint32_t *ret_ideal);

// The same of a shared atomic operation: lanes at one word go one after the other.  (Known of
// integers of 4 bytes.  A GPU makes a loop of others, which is counted here as one instruction.)
uint32_t count_atomic_wavefronts(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask,
                                 uint32_t *ret_ideal);

#endif

// What one warp instruction costs: sectors of global memory, passes through the banks of shared
// memory.
//
// Source: NVIDIA Nsight Compute documentation, Memory Tables (request, sector, wavefront); the
// merging of half and quarter warps as measured by code.hitori.moe and compared with Nsight Compute
// on an H200 for 41 patterns.
#ifndef EMU_COUNT_RULES_H
#define EMU_COUNT_RULES_H

#include <stdint.h>

#include "base/limits.h"

#define SECTOR_BYTES 32
#define BANK_COUNT   32
#define BANK_BYTES   4

// Shapes  address[lane], in bytes, aligned to the size of the access; counts only for lanes in
// mask. Returns the number of distinct 32-byte sectors.
uint32_t count_sectors(const uint32_t address[WARP_LANES], uint32_t mask);

// Wavefronts of a shared access of 1, 2, 4, 8 or 16 bytes a lane: 4 bytes pass as one warp, 8 as
// two halves, 16 as four quarters; each takes as many passes as the busiest bank has distinct
// words.  Two halves, or the two quarters of a half, go as one where every lane has the address of
// its neighbour lane^1 (or every lane that of lane^2).
//
// Returns  the passes; *ret_ideal is how many they would be without bank conflicts.
uint32_t count_wavefronts(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask,
                          uint32_t *ret_ideal);

#endif

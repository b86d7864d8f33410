// Merges the logs of the lanes of a warp to warp instructions.
#ifndef EMU_COUNT_MERGE_H
#define EMU_COUNT_MERGE_H

#include "emu/count/count.h"

// Merges and counts all entries of a warp whose lanes are at one point.
void count_merge_all(struct count *count, struct count_warp *warp);

// Counts one instruction of a warp.  Lanes outside mask have the address of one inside it.
void count_instruction(struct count *count, const struct count_warp *from, uint32_t key,
                       uint32_t mask, const uint32_t address[WARP_LANES]);

#endif

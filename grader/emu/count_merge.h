// Merges the logs of the lanes of a warp to warp instructions.
#ifndef EMU_COUNT_MERGE_H
#define EMU_COUNT_MERGE_H

#include "emu/count.h"

// Merges and counts all entries of a warp whose lanes are at one point.
void count_merge_all(struct count *count, struct count_warp *warp);

#endif

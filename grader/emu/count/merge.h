// Merges the logs of the lanes of a warp to warp instructions.
#ifndef EMU_COUNT_MERGE_H
#define EMU_COUNT_MERGE_H

#include "emu/count/state.h"

// Merges and counts all entries of a warp whose lanes are at one point.
void count_merge_all(struct count *count, struct count_warp *warp);

// Counts one instruction of a warp.  Lanes outside mask have the address of one inside it.
void count_instruction(struct count *count, const struct count_warp *from, uint32_t key,
                       uint32_t mask, const uint32_t address[WARP_LANES]);

// Makes room in the log of a lane that is full although all others had their turn.
void count_make_room(struct count_warp *warp, struct count *count, uint32_t lane);

// Where lanes took different ways (parted.c).
//
// Merges and counts all entries from position `from` on: the lanes are at one point.
void count_parted_all(struct count *count, struct count_warp *warp, uint32_t from);

// Merges and counts what it can of the entries from position `from` on, where lanes with full logs
// go on afterwards.  Moves the others to the front of the logs.
void count_parted_some(struct count *count, struct count_warp *warp, uint32_t from);

#endif

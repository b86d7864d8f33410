// Merges the logs of the lanes of a warp into warp instructions.
#ifndef EMU_COUNT_MERGE_H
#define EMU_COUNT_MERGE_H

#include "emu/count/state.h"

// Merges and counts all entries of a warp whose lanes are at one point.
void count_merge_all(struct count *count, struct count_warp *warp);

// Counts one instruction of a warp.  Lanes outside mask have the address of a lane in it.
void count_instruction(struct count *count, const struct count_warp *from, uint32_t key,
                       uint32_t mask, const uint32_t address[WARP_LANES]);

// Adds to the turns that a GPU takes for it: see counts.h.  loops: as each lane came there.
void count_turns(struct count *count, const struct count_warp *warp, uint32_t mask,
                 const uint8_t loops[WARP_LANES]);

// Makes room in the full log of a lane, after all other lanes had their turn.
void count_make_room(struct count_warp *warp, struct count *count, uint32_t lane);

// The next two are for lanes that took different paths (parted.c).
//
// Merges and counts all entries from position `from` on: the lanes are at one point.
void count_parted_all(struct count *count, struct count_warp *warp, uint32_t from);

// Merges and counts as many entries from position `from` on as possible, while lanes with full logs
// have not finished.  Moves the other entries to the front of the logs.
void count_parted_some(struct count *count, struct count_warp *warp, uint32_t from);

#endif

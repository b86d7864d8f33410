// Merges the logs of lanes that took different ways.
//
// On a GPU such lanes wait for each other where their ways come together.  Logs hold accesses
// alone, so these places are guessed from them: lanes meet at places that all of them come to
// equally often, the rarest first, so that an outer loop comes before what is in it; between two
// meetings the n-th access of each lane at one place is one instruction.  What that cannot see:
// rounds of an outer loop in which no access is made by all lanes.
#ifndef EMU_COUNT_PARTED_H
#define EMU_COUNT_PARTED_H

#include "emu/count/count.h"

// Merges and counts all entries from position `from` on: the lanes are at one point.
void count_parted_all(struct count *count, struct count_warp *warp, uint32_t from);

// Merges and counts what it can of the entries from position `from` on, where lanes with full logs
// go on afterwards.  Moves the others to the front of the logs.
void count_parted_some(struct count *count, struct count_warp *warp, uint32_t from);

#endif

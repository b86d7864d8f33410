// The findings of the launches of a product: merged to one per kind and pair of places, in the
// order first seen.
#ifndef EMU_WIRE_FINDINGS_H
#define EMU_WIRE_FINDINGS_H

#include <stdbool.h>

#include "emu/wire/finding.h"

// Findings that do not fit any more are counted in dropped.
struct findings {
    uint32_t count;
    uint32_t dropped;
    struct finding list[FINDINGS_MAX];
};

void findings_clear(struct findings *findings);

// Adds one finding, or raises the count of the one with the same kind, space, array, pc and
// other_pc.  Of the instances of one finding the first of the gravest is kept: an error before a
// note, then threads of two warps before those of one (so FINDING_SAME_WARP says that no other
// instance was seen).
//
// Returns  true where it was new.  finding->count is taken as 1 if 0.
bool findings_add(struct findings *findings, const struct finding *finding);

// The fast half of findings_add, for findings that come by the million: needs only key's kind,
// severity, flags, space, array, pc and other_pc.
//
// Returns  true where nothing else is to be done: the count was raised, and the kept instance
// stays.
bool findings_repeat(struct findings *findings, const struct finding *key);

// Writes threadIdx of a linear index in the block.
void findings_thread(const uint32_t block[3], uint32_t linear, uint32_t ret_thread[3]);

#endif

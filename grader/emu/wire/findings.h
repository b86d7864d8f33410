// The findings of the launches of a product, merged to one per kind and pair of places, in the
// order of their first instance.
#ifndef EMU_WIRE_FINDINGS_H
#define EMU_WIRE_FINDINGS_H

#include <stdbool.h>

#include "emu/wire/finding.h"

// Findings that do not fit are counted in dropped.
struct findings {
    uint32_t count;
    uint32_t dropped;
    struct finding list[FINDINGS_MAX];
};

void findings_clear(struct findings *findings);

// True if a race of two blocks needs more than the barrier that would end it within one block.  Two
// stores need more anyway.
bool finding_is_between_blocks(const struct finding *finding);

// True if both have the same kind, space, array, pc and other_pc.  The other_pc of a read of what
// is not there yet is known later, and does not count.
bool finding_is_same(const struct finding *a, const struct finding *b);

// Adds one finding, or raises the count of the one that is the same.  Of the instances of one
// finding the first of the most severe is kept: an error before a note, then what
// finding_is_between_blocks, then threads of two warps before those of one.  So FINDING_SAME_WARP
// means that every instance was within a warp.
//
// Returns  true if it is new.  A finding->count of 0 means 1.
bool findings_add(struct findings *findings, const struct finding *finding);

// Called by findings_add for each instance that it keeps, before it returns: by the worker of the
// CPU device, which adds the values that the thread noted, and tells the judge at once
// (emu/machine/announce.c).  Absent in other programs.
void findings_kept(struct finding *finding) __attribute__((weak));

// True if the finding is in the list, with an instance that weighs no less.
bool findings_hold(const struct findings *findings, const struct finding *finding);

// The fast half of findings_add, for findings that come by the million: needs only key's kind,
// severity, flags, space, array, pc, other_pc and the kinds of its accesses.
//
// Returns  true if nothing else is needed: the count was raised, and the kept instance stays.
bool findings_repeat(struct findings *findings, const struct finding *key);

// Writes threadIdx of a linear index in the block.
void findings_thread(const uint32_t block[3], uint32_t linear, uint32_t ret_thread[3]);

#endif

// The findings of one launch: merged to one per kind and pair of places, in the order first seen.
#ifndef EMU_FINDINGS_H
#define EMU_FINDINGS_H

#include <stdbool.h>

#include "emu/finding.h"

// Findings that do not fit any more are counted in dropped.
struct findings {
    uint32_t count;
    uint32_t dropped;
    struct finding list[FINDINGS_MAX];
};

void findings_clear(struct findings *findings);

// Adds one finding, or raises the count of the one with the same kind, space, array, pc and other_pc.
// Returns true where it was new.  finding->count is taken as 1 if 0.
bool findings_add(struct findings *findings, const struct finding *finding);

#endif

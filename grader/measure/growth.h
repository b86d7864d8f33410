// The work of a launch with more work than the counted ones.  Pure.
#ifndef MEASURE_GROWTH_H
#define MEASURE_GROWTH_H

#include <stdint.h>

#include "emu/wire/counts.h"

// A launch, with its work in the unit of its exercise ([work] in exercise.ini).
struct counted_work {
    const struct counts *counts;
    double work;
    double blocks;  // that share it
};

// Fills the counts of a launch of `blocks` blocks from those of two smaller ones: each is a part
// that grows with the work, and a part of each block, and neither is below 0.
//
// small, large  the blocks of large do more work each.
//
// The work by place is not known.
void counts_grow(struct counted_work small, struct counted_work large, double work, uint64_t blocks,
                 struct counts *ret_counts);

#endif

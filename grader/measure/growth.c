// See growth.h.
#include "measure/growth.h"

#include <stdbool.h>

#define CLEAR 0.1  // part of the work: blocks that do nearly as much tell nothing about their parts

// Two launches, and the one to find.
struct growth {
    double work[2], blocks[2];
    double grown_work, grown_blocks;
};

// Solves  amount = by_work * work + by_block * blocks  for both launches.  If one part would be
// negative, the other explains the larger launch alone.
static double grown(const struct growth *growth, double small, double large) {
    const double *work = growth->work;
    const double *blocks = growth->blocks;
    double divisor = work[1] * blocks[0] - work[0] * blocks[1];
    bool is_clear = divisor > CLEAR * work[1] * blocks[0];
    double by_work = (large * blocks[0] - small * blocks[1]) / divisor;
    double by_block = (small * work[1] - large * work[0]) / divisor;
    if (by_block < 0.0 || !is_clear) {
        by_work = large / work[1];
        by_block = 0.0;
    } else if (by_work < 0.0) {
        by_work = 0.0;
        by_block = large / blocks[1];
    }
    return by_work * growth->grown_work + by_block * growth->grown_blocks;
}

void counts_grow(struct counted_work small, struct counted_work large, double work, uint64_t blocks,
                 struct counts *ret_counts) {
    const struct counts *less = small.counts;
    const struct counts *more = large.counts;
    const struct growth growth = {.work = {small.work, large.work},
                                  .blocks = {small.blocks, large.blocks},
                                  .grown_work = work,
                                  .grown_blocks = (double)blocks};
    const struct growth of_block = {.work = {small.work / small.blocks, large.work / large.blocks},
                                    .blocks = {1.0, 1.0},
                                    .grown_work = work / (double)blocks,
                                    .grown_blocks = 1.0};
    *ret_counts = (struct counts){.blocks = 0};
#define COUNT_GROW(field, text)                                                                    \
    ret_counts->field = (uint64_t)(grown(&growth, (double)less->field, (double)more->field) + 0.5);
    COUNT_FIELDS(COUNT_GROW)
    COUNT_JUDGE_FIELDS(COUNT_GROW)
#undef COUNT_GROW
    ret_counts->block_passes_max =
        (uint64_t)grown(&of_block, (double)less->block_passes_max, (double)more->block_passes_max);
    ret_counts->blocks = blocks;
    ret_counts->threads = blocks * (more->threads / more->blocks);
}

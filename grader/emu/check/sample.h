// The blocks of a large launch that all checkers watch: a launch that is counted checks only these,
// because checking all takes longer than counting.
//
// Which blocks they are depends on a secret number, so a kernel cannot leave them out.  The global
// stores of all blocks are watched too: so two blocks that store to one element are seen, and a
// load of a watched block from an element that any other block stores to.
#ifndef EMU_CHECK_SAMPLE_H
#define EMU_CHECK_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#define SAMPLE_MAX 24

struct sample {
    uint32_t count;  // 0: all blocks are watched
    uint64_t block[SAMPLE_MAX];
};

// The sample of a launch with this grid: its first and last block, one of its last column and of
// its last row, and others.
struct sample sample_of(uint64_t draw, const uint32_t grid[3]);

bool sample_holds(const struct sample *sample, uint64_t block);

#endif

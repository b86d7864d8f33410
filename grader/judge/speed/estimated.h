// The judge's side of measure/estimate.h for kernels that are not matmuls: their counted work is
// scaled to the largest timed size, and both kernels are estimated for an H200 there.
#ifndef JUDGE_SPEED_ESTIMATED_H
#define JUDGE_SPEED_ESTIMATED_H

#include "exercise/exercise.h"
#include "judge/speed/reference.h"
#include "measure/estimate.h"

struct run_outcome;

// One kernel whose work was counted at some size.
struct estimated_kernel {
    const struct counts *counts;
    uint64_t shared_bytes;  // of a block, static and dynamic
    uint32_t launch_count;  // launches that made the result; 0: one, of the exercise's own kernel
};

// The results of a program's counted launch; the counts are borrowed.
struct estimated_kernel estimated_of(const struct run_program *program,
                                     const struct run_outcome *outcome);

// True if times decide that are estimated from counted work, not the counted work itself: no
// product of matrices, and nothing on tensor cores.
bool is_estimated(const struct exercise *exercise, const struct counts *reference);

// A size with more work than the first counted one, for a kernel whose blocks do more work each
// when it is timed; m = 0 for others, and if counting there would take too long.
//
// counts  of the kernel at the first counted size
// plans   of the kernel, [exercise->timed_count]
struct size estimated_more_size(const struct exercise *exercise, const struct counts *counts,
                                const struct planned_launch *plans);

// One side of a comparison.
struct estimated_side {
    struct estimated_kernel kernel;
    const struct counts *more;           // at more_size; NULL: none
    struct size more_size;               // see estimated_more_size
    const struct planned_launch *plans;  // [exercise->timed_count]
};

// Fills times, and returns false if no estimate is possible.
bool estimated_times_make(const struct exercise *exercise, struct size counted,
                          const struct estimated_side *student,
                          const struct estimated_side *reference,
                          struct estimated_times *ret_times);

#endif

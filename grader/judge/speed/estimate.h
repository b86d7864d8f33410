// How fast the counted kernels may be on another card: the judge's side of
// measure/estimate.h.
#ifndef JUDGE_SPEED_ESTIMATE_H
#define JUDGE_SPEED_ESTIMATE_H

#include "judge/run/run.h"

struct exercise_result;
struct run_outcome;

// One kernel whose work was counted at some size.
struct estimated_kernel {
    const struct counts *counts;
    uint64_t shared_bytes;  // of a block, static and dynamic
    uint32_t launch_count;  // launches that made the product; 0: one, of the exercise's own kernel
};

// What a counted launch of a program says of it; the counts are borrowed.
struct estimated_kernel estimated_of(const struct run_program *program,
                                     const struct run_outcome *outcome);

// Fills result->speed.estimate from launches of counted_size; kernel is the student's.
//
// reference  may be NULL.
//
// Registers of a thread are known if NVRTC is on this machine, of both kernels or of none.  If no
// estimate can be made, nothing is said and nothing fails: it is not part of a grade.
void speed_estimate(const struct judge_options *options, const struct run_kernel *kernel,
                    struct size counted_size, const struct estimated_kernel *student,
                    const struct estimated_kernel *reference, struct exercise_result *result);

#endif

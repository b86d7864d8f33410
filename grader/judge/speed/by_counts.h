// Speed by counted work, on the CPU device.
#ifndef JUDGE_SPEED_BY_COUNTS_H
#define JUDGE_SPEED_BY_COUNTS_H

#include "judge/run/run.h"

struct exercise_result;

// See speed_measure; the kernel must be built for the CPU device.
enum status speed_counted(const struct judge_options *options, struct exercise_result *result,
                          const struct run_kernel *kernel, struct error *err);

// Counts the student's work alone, at the first counted size of the exercise: for a course without
// references.
enum status speed_counted_alone(const struct judge_options *options, struct exercise_result *result,
                                const struct run_kernel *kernel, struct error *err);

// The work of a kernel that was timed, for drawings alone: at a small size, and of no weight.  What
// cannot be counted is left out.
enum status speed_counted_beside(const struct judge_options *options,
                                 struct exercise_result *result, const struct run_kernel *kernel,
                                 struct error *err);

#endif

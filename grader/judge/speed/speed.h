// The speed of a right kernel against the reference: by time on a GPU, by counted work without one.
#ifndef JUDGE_SPEED_SPEED_H
#define JUDGE_SPEED_SPEED_H

#include "judge/run/run.h"

struct exercise_result;

// Measures every size that exercise.ini names for the basis, and fills the speed of *result, points
// included.  Every measured output is verified.  A wrong one decides the verdict of the exercise,
// and speed is not measured any further.
//
// *result must have a verdict of pass, and kernel the programs that were judged: speed_timed needs
// one for the GPU, the others one for the CPU device.  speed_timed stops the worker.
// Errors   STATUS_BAD_DATA: the reference is missing, does not build or is not right.  Else ours.
enum status speed_timed(const struct judge_options *options, struct exercise_result *result,
                        struct run_kernel *kernel, struct error *err);
enum status speed_counted(const struct judge_options *options, struct exercise_result *result,
                          const struct run_kernel *kernel, struct error *err);

// Counts the student's work alone, at the first counted size of the exercise: for a course without
// references.
enum status speed_counted_alone(const struct judge_options *options, struct exercise_result *result,
                                const struct run_kernel *kernel, struct error *err);

// The work of a kernel that was timed, for drawings alone: at a small size, and of no weight.  What
// cannot be counted is left out.
enum status speed_counted_small(const struct judge_options *options, struct exercise_result *result,
                                const struct run_kernel *kernel, struct error *err);

#endif

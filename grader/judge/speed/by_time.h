// Speed by time, on a GPU: student and reference in interleaved pairs.
#ifndef JUDGE_SPEED_BY_TIME_H
#define JUDGE_SPEED_BY_TIME_H

#include "judge/run/run.h"

struct exercise_result;

// See speed_measure; the kernel must be built for the GPU.
enum status speed_timed(const struct judge_options *options, struct exercise_result *result,
                        const struct run_kernel *kernel, struct error *err);

#endif

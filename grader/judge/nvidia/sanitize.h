// compute-sanitizer over a kernel that was judged: what NVIDIA's own tool sees on the GPU.
#ifndef JUDGE_NVIDIA_SANITIZE_H
#define JUDGE_NVIDIA_SANITIZE_H

#include "judge/run/run.h"

struct exercise_result;

// Runs each tool of compute-sanitizer at the smallest size that fails and at the ragged one, and
// adds what is not yet among the findings of *result.  An error that only compute-sanitizer sees
// becomes the verdict.  The kernel must be built for the GPU.
//
// Errors  STATUS_UNAVAILABLE: compute-sanitizer is not here, or cannot work here, with what it
//         said.
enum status sanitize_run(const struct run_kernel *kernel, struct exercise_result *result,
                         struct error *err);

#endif

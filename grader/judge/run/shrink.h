// Finds a small size that still fails.
#ifndef JUDGE_RUN_SHRINK_H
#define JUDGE_RUN_SHRINK_H

#include <stdbool.h>

#include "base/size.h"
#include "judge/run/cases.h"

// Looks for the smallest size with the same verdict, puts it into *failure, and its findings first
// in *result.
enum status run_cases_shrink(const struct judge_options *options, const struct run_program *program,
                             struct exercise_result *result, struct run_failure *failure,
                             struct error *err);

// --- The search, pure: running the kernel is the caller's ----------------------------------------

#define SHRINK_CALLS_DEFAULT 40  // a call is a launch of a few milliseconds on the CPU device
#define SHRINK_CALLS_LIMIT   256

// Runs the kernel at a size; true if it fails with the verdict that is being shrunk.
typedef bool (*shrink_fails)(void *context, struct size size);

// Looks for a size that fails like `failing` and is as small as the calls allow: each dimension is
// tried at 1, 2, around the tile's multiples, and at half; a dimension never grows.  Calls fails at
// most calls_max times (at most SHRINK_CALLS_LIMIT), never twice for one size.  Deterministic where
// fails is.
//
// Returns  a size for which fails said true, or `failing`.
struct size shrink_size(struct size failing, int32_t tile, int calls_max, shrink_fails fails,
                        void *context);

// The size made larger where it must be, so that no dimension is 1 and no two are equal or
// neighbours: then an index or a count tells which of M, N and K it comes from.
struct size shrink_apart(struct size size);

#endif

// Why a kernel is wrong, once its cases have run: the smallest size that fails, what a second build
// or more launches show, what the compiler warns of, and which of all that is said first.
#ifndef JUDGE_DIAGNOSE_DIAGNOSE_H
#define JUDGE_DIAGNOSE_DIAGNOSE_H

#include <stdbool.h>

#include "base/size.h"
#include "judge/diagnose/exercise_run.h"
#include "judge/run/cases.h"
#include "judge/submission/submission.h"

struct exercise_result;

// Finishes the findings of *result, and says in its headline and detail what is wrong where a
// launch has failed.
// Errors   STATUS_SYSTEM (no lines could be found).
enum status run_explain(const struct run_kernel *kernel, struct exercise_result *result,
                        struct run_failure *failure, struct error *err);

// Adds at most two of the warnings, the nearest to the mistake first: to the finding that makes the
// verdict, else to the detail.  shown: what diagnostics_show made of the compiler's output.  weak:
// also that a variable is not used, which an unfinished kernel is full of.
void run_warnings_add(const char *shown, const char *kernel, bool weak,
                      struct exercise_result *result);

// Adds to the finished findings of *result what the compiler says about variables without a value:
// they live in registers, where no checker sees them.  Its words become the diagnostics if no
// finding is the cause.  shown: as above; NULL: nothing.  explained: other terms explain the wrong
// sums, which such a variable would have spoilt.
void run_uninitialized_add(const char *shown, const struct submitted *source, bool explained,
                           struct exercise_result *result);

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

// Builds a kernel that the CPU device has found wrong up to three times more, and launches the
// failing case: with the barriers that seem to be missing, with checks of local arrays, and with
// notes of values.  What that shows is said in the findings of *result.
// Errors   ours, those of run_build and run_case: a text without values would be another result
//          than that of a good day.
enum status run_second_builds(const struct run_kernel *kernel, const struct run_failure *failure,
                              struct exercise_result *result, struct error *err);

#endif

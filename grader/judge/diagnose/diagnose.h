// Finds why a kernel is wrong, once its cases have run: the smallest size that fails, the results
// of a second build or more launches, the compiler's warnings, and which of these is reported
// first.
#ifndef JUDGE_DIAGNOSE_DIAGNOSE_H
#define JUDGE_DIAGNOSE_DIAGNOSE_H

#include <stdbool.h>

#include "base/size.h"
#include "judge/diagnose/exercise_run.h"
#include "judge/run/cases.h"
#include "judge/submission/submission.h"

struct exercise_result;

// Finishes the findings of *result, and writes the cause into its headline and detail if a launch
// has failed.
// Errors   STATUS_SYSTEM (no lines could be found).
enum status run_explain(const struct run_kernel *kernel, struct exercise_result *result,
                        struct run_failure *failure, struct error *err);

// Adds at most two of the warnings, the nearest to the mistake first: to the finding that makes the
// verdict, else to the detail. shown: the result of diagnostics_show for the compiler's output.
// weak: also reports unused variables, which are common in an unfinished kernel.
void run_warnings_add(const char *shown, const char *kernel, bool weak,
                      struct exercise_result *result);

// Adds the compiler's messages about unset variables to the finished findings of *result: such
// variables are in registers, where no checker sees them.  The messages become the diagnostics if
// no finding is the cause. shown: as above; NULL: nothing. explained: other terms explain the wrong
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

// Looks for the smallest size that fails like `failing`, within the allowed calls: each dimension
// is tried at 1, 2, around the tile's multiples, and at half; a dimension never grows.  Calls
// `fails` at most calls_max times (at most SHRINK_CALLS_LIMIT), never twice for one size.
// Deterministic if `fails` is.
//
// Returns  a size for which `fails` returned true, or `failing`.
struct size shrink_size(struct size failing, int32_t tile, int calls_max, shrink_fails fails,
                        void *context);

// Enlarges the size as needed, so that no dimension is 1 and no two are equal or adjacent numbers.
// Then an index or a count shows which of M, N and K it comes from.
struct size shrink_apart(struct size size);

// Builds a kernel that the CPU device has found wrong a few times more, and launches the failing
// case: with the barriers that seem to be missing, with other words, with checks of local arrays,
// and with notes of values.  The results go into the findings of *result, and what another word
// shows into *failure.
// Errors   ours, as of run_build and run_case: a text without values would make the result depend
//          on the day.
enum status run_second_builds(const struct run_kernel *kernel, struct run_failure *failure,
                              struct exercise_result *result, struct error *err);

#endif

// An access outside of a thread's own arrays, which only another build checks.
#ifndef JUDGE_RUN_LOCALS_H
#define JUDGE_RUN_LOCALS_H

#include "judge/run/cases.h"
#include "judge/source/submitted.h"

// If C is wrong and no finding says why, builds the kernel once more with checks of local arrays
// and launches the failing case.  What they find is put first in *result, and makes its verdict:
// the compiler knows the extent of the array, so no right kernel is accused.
//
// program, text  as for run_values
// Errors         ours, those of run_build and run_case.
enum status run_locals(const struct run_program *program, const struct submitted *source,
                       const char *text, size_t bytes, const struct run_failure *failure,
                       struct exercise_result *result, struct error *err);

#endif

// The values of variables at the access that a finding is about, from a second build and launch.
#ifndef JUDGE_RUN_VALUES_H
#define JUDGE_RUN_VALUES_H

#include "judge/run/cases.h"

// Builds the kernel once more with a note at the access of the first finding, launches the failing
// case, and writes the values into the finding's text.  If the second launch does not show the same
// finding, or anything else is in doubt, nothing is said: the verdict never depends on it.
//
// program  of the CPU device
// text     the prepared copy of its file
// Errors   ours, those of run_build and run_case: a text without values would be another result
//          than that of a good day.
enum status run_values(const struct run_program *program, const char *text, size_t bytes,
                       const struct run_failure *failure, struct exercise_result *result,
                       struct error *err);

#endif

// Does the barrier that seems to be missing correct the kernel?  A second build tries it.
#ifndef JUDGE_RUN_BARRIER_TRIAL_H
#define JUDGE_RUN_BARRIER_TRIAL_H

#include "judge/run/cases.h"

// If it is in doubt that the first finding, a race, only lacks a barrier, builds the kernel with
// one at the place of each such race and launches the failing case and a larger one.  Unless both
// are right, explains these races again without the advice.  The verdict never depends on it.
//
// program, text  as for run_values
// Errors   ours, those of run_build and run_case.
enum status run_barrier_trial(const struct run_program *program, const char *text, size_t bytes,
                              const struct run_failure *failure, struct exercise_result *result,
                              struct error *err);

#endif

// Findings of the compiler: variables that are read before they have a value.
#ifndef JUDGE_RUN_UNSET_H
#define JUDGE_RUN_UNSET_H

#include "judge/source/submitted.h"
#include "judge/run/case.h"

struct exercise_result;

// Adds what the compiler of the CPU device said to a finished list of findings.  What is certain is
// an error, and then the verdict of a kernel that has passed so far; what may be a false alarm is
// a warning, told only where the kernel is wrong anyway.
void run_unset_add(const char *diagnostics, const struct judge_source *source,
                   struct exercise_result *result);

#endif

// What the compiler warns of in a kernel that is wrong.
#ifndef JUDGE_RUN_WARNINGS_H
#define JUDGE_RUN_WARNINGS_H

#include "judge/source/submitted.h"

struct exercise_result;

// Adds at most two of the warnings, the nearest to the mistake first: to the finding that makes the
// verdict, else to the detail.  shown: what diagnostics_show made of the compiler's output.  weak:
// also that a variable is not used, which an unfinished kernel is full of.
void run_warnings_add(const char *shown, const char *kernel, bool weak,
                      struct exercise_result *result);

// Adds to the finished findings of *result what the compiler says of variables without a value:
// they live in registers, where no checker sees them.  Its words become the diagnostics if no
// finding is the cause.  shown: as above; NULL: nothing.  explained: other terms explain the wrong
// sums, which such a variable would have spoilt.
// Errors   STATUS_NO_MEMORY.
enum status run_uninitialized_add(const char *shown, const struct submitted *source, bool explained,
                                  struct exercise_result *result, struct error *err);

#endif

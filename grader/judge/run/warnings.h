// What the compiler warns of in a kernel that is wrong.
#ifndef JUDGE_RUN_WARNINGS_H
#define JUDGE_RUN_WARNINGS_H

#include <stdbool.h>

struct exercise_result;

// Adds at most two of the warnings, the nearest to the mistake first: to the finding that makes the
// verdict, else to the detail.  shown: what diagnostics_show made of the compiler's output.  weak:
// also that a variable is not used, which an unfinished kernel is full of.
void run_warnings_add(const char *shown, const char *kernel, bool weak,
                      struct exercise_result *result);

#endif

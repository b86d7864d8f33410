// What the compiler warns of in a kernel that is wrong.
#ifndef JUDGE_RUN_WARNINGS_H
#define JUDGE_RUN_WARNINGS_H

struct exercise_result;

// Adds at most two of the warnings, the nearest to the mistake first: to the finding that makes the
// verdict, else to the detail.  shown: what diagnostics_show made of the compiler's output.
void run_warnings_add(const char *shown, struct exercise_result *result);

#endif

// Says what is wrong with a kernel whose launches are over.
#ifndef JUDGE_RUN_HEADLINE_H
#define JUDGE_RUN_HEADLINE_H

#include "judge/run/run.h"
#include "judge/run/cases.h"

struct exercise_result;

// Finishes the findings of *result, and says in its headline and detail what is wrong where a
// launch has failed.
// Errors   STATUS_NO_MEMORY, STATUS_SYSTEM (no lines could be found).
enum status run_explain(const struct run_kernel *kernel, struct exercise_result *result,
                        struct run_failure *failure, struct error *err);

#endif

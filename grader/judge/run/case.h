// One launch of a kernel, judged: inputs made, C poisoned, launched, read back, compared.
#ifndef JUDGE_RUN_CASE_H
#define JUDGE_RUN_CASE_H

#include "judge/run/case_plan.h"
#include "judge/run/outcome.h"
#include "judge/run/worker.h"

// Runs one case with REQUEST_ flags.  A wrong kernel is an outcome; errors are trouble of ours.
enum status run_case(struct run_worker *worker, const struct planned_case *planned, uint32_t flags,
                     struct run_outcome *ret_outcome, struct error *err);

// Asks the CPU device for the launch configuration of a size, and launches nothing.  *ret_answered
// is false if the worker gave no answer, which a configuration can cause.
enum status run_case_plan(struct run_worker *worker, struct size size, bool *ret_answered,
                          struct answer *ret_answer, struct error *err);

#endif

// One launch of a kernel, judged: inputs made, C poisoned, launched, read back, compared.
#ifndef JUDGE_RUN_CASE_H
#define JUDGE_RUN_CASE_H

#include "judge/run/case_plan.h"
#include "judge/run/outcome.h"
#include "judge/run/worker.h"

// Runs one case with REQUEST_ flags.  A wrong kernel is an outcome; errors are trouble of ours.
enum status run_case(struct run_worker *worker, const struct planned_case *planned, uint32_t flags,
                     struct run_outcome *ret_outcome, struct error *err);

#endif

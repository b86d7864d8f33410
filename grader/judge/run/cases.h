// All cases of one exercise on one device.
#ifndef JUDGE_RUN_CASES_H
#define JUDGE_RUN_CASES_H

#include "judge/run/outcome.h"
#include "judge/run/case_plan.h"

struct case_list;
struct exercise_result;

// The launch that decides the verdict: of those that came first in precedence, the first.
struct run_failure {
    bool failed;
    enum device_kind device;
    struct planned_case planned;
    struct run_outcome outcome;
    struct size unended;  // a larger launch that was cut short later; at[0] is 0 if there was none
};

// Adds a case that was run.  The list has room for the cases of both devices; one that is measured
// after them may find it full, and is left out.
void run_case_add(struct case_list *cases, const struct planned_case *planned,
                  enum device_kind device, enum verdict verdict);

// Makes what the kernel printed in this launch the output that is shown.
void run_output_show(struct exercise_result *result, const struct planned_case *planned,
                     const struct run_outcome *outcome);

// Runs the cases in a worker, which the caller stops; adds them and their findings to *result and
// keeps the worst in *failure.
enum status run_cases(const struct judge_options *options, struct run_worker *worker,
                      struct exercise_result *result, struct run_failure *failure,
                      struct error *err);

#endif

// What a wrong product is computed from, by a few more launches with chosen inputs.
#ifndef JUDGE_RUN_PROBE_H
#define JUDGE_RUN_PROBE_H

#include <stdbool.h>

#include "judge/run/case.h"

// True if the launches of a probe at this size are few enough.
bool run_probe_fits(struct size size);

// Launches the kernel without checkers, and writes what the wrong elements of a case with exact
// inputs are computed from (judge/explain/terms.h).  "" if that is not known.
// Errors: those of run_worker_launch.
enum status run_probe(struct run_worker *worker, const struct planned_case *planned, char *text,
                      size_t text_bytes, struct error *err);

#endif

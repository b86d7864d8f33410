// Merges the findings of all launches of one exercise for people: one for each kind and pair of
// source lines.
#ifndef JUDGE_RUN_FINDINGS_MERGE_H
#define JUDGE_RUN_FINDINGS_MERGE_H

#include <stdbool.h>

#include "base/size.h"
#include "device/device.h"
#include "judge/submission/submission.h"

struct finding;
struct finding_list;
struct findings;
struct run_program;

// Adds the findings of one launch that are not in the list yet (same kind, array and program
// addresses). Findings that do not fit are dropped, errors last: a full list drops its last warning
// for an error.
void run_findings_add(struct finding_list *list, const struct findings *findings,
                      enum device_kind device, struct size size);

// Fills in lines, names and texts, merges equal findings, drops consequences of others, and sorts:
// findings of the verdict first, then other errors, warnings, notes; equal ones stay in the order
// in which they were seen.
enum status run_findings_finish(const struct run_program *program, const struct submitted *source,
                                enum verdict verdict, struct finding_list *list, struct error *err);

#endif

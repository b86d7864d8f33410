// Runs the cases of one exercise on one device: see cases.h.
#include "judge/run/cases.h"

#include <string.h>

#include "base/basics.h"
#include "emu/wire/findings.h"
#include "judge/explain/finding.h"
#include "judge/model/judgement.h"
#include "judge/run/case.h"
#include "judge/run/findings.h"

// Multiply-adds of the largest case.  The CPU device with all checkers does some 40 million a
// second, and a student waits for about 35 cases.
#define COST_MAX_EMU 2000000ull
#define COST_MAX_GPU EXERCISE_CASE_WORK_MAX

// After one search for the cause of a wrong result, the next is at a case so many times as large.
#define TRIAL_STEP 4

static uint64_t cost_max_of(enum device_kind device) {
    return device == DEVICE_EMU ? COST_MAX_EMU : COST_MAX_GPU;
}

// A launch that was cut short says less than a mistake at a line in one that came to its end, and
// is often its consequence.
static bool is_less_than_found(const struct run_outcome *outcome,
                               const struct run_failure *failure) {
    const struct finding *found = failure->failed ? run_outcome_deciding(&failure->outcome) : NULL;
    return outcome->verdict == VERDICT_TIME_LIMIT && !failure->outcome.stop && found &&
           found->pc != 0;
}

// True if the race that decides was seen in one block so far, and now between two, which no barrier
// orders.
static bool shows_two_blocks(const struct run_outcome *outcome, const struct run_outcome *before) {
    const struct finding *known = run_outcome_deciding(before);
    for (uint32_t i = 0;
         i < outcome->findings.count && known && !run_finding_is_between_blocks(known); i++) {
        const struct finding *finding = &outcome->findings.list[i];
        if (run_finding_is_between_blocks(finding) && finding_verdict(finding) == before->verdict &&
            finding_is_same(finding, known)) {
            return true;
        }
    }
    return false;
}

// Keeps the failure that is first in precedence; of equal ones the first that is most specific:
// "column 16 of A is never read" says more than "A is never read", which is what a size of 1 shows.
static void failure_note(struct run_failure *failure, enum device_kind device,
                         const struct planned_case *planned, const struct run_outcome *outcome) {
    bool better = !failure->failed || outcome->verdict < failure->outcome.verdict ||
                  (outcome->verdict == failure->outcome.verdict &&
                   (run_outcome_explained(outcome) > run_outcome_explained(&failure->outcome) ||
                    shows_two_blocks(outcome, &failure->outcome)));
    if (outcome->verdict == VERDICT_PASS || !better) {
        return;
    }
    if (is_less_than_found(outcome, failure)) {
        failure->unended = planned->size;
        return;
    }
    *failure = (struct run_failure){
        .failed = true, .device = device, .planned = *planned, .outcome = *outcome};
}

// Of several wrong C the largest shows the pattern best.
static void picture_note(const struct wrong_tiles *wrong, struct wrong_tiles *best) {
    int64_t elements = (int64_t)wrong->size.m * wrong->size.n;
    if (elements > (int64_t)best->size.m * best->size.n) {
        *best = *wrong;
    }
}

enum status run_cases(const struct judge_options *options, struct run_worker *worker,
                      struct exercise_result *result, struct run_failure *failure,
                      struct error *err) {
    struct planned_case planned[CASES_MAX];
    struct run_outcome outcome;
    enum device_kind device = worker->program->kind;
    enum status status = STATUS_OK;
    struct size only = options->only_size;
    uint64_t tried = 0;  // cost of the last case whose failure was searched for its cause
    if (only.m > 0) {
        status = signature_size_fit(&result->exercise->signature, &only, err);
    }
    int count =
        status ? 0
               : cases_plan(result->exercise, options->seed, only, cost_max_of(device), planned);
    for (int i = 0; i < count && !status; i++) {
        bool is_exact = planned[i].inputs == INPUTS_EXACT;  // real ones are few
        planned[i].no_trials = run_outcome_explained(&failure->outcome) >= EXPLAINED_TERMS ||
                               (is_exact && planned[i].cost < TRIAL_STEP * tried);
        status = run_case(worker, &planned[i], run_case_flags(device), &outcome, err);
        if (status) {
            break;
        }
        bool is_tried = is_exact && outcome.verdict != VERDICT_PASS && !planned[i].no_trials;
        tried = is_tried ? planned[i].cost : tried;
        run_case_add(&result->cases, &planned[i], device, outcome.verdict);
        run_findings_add(&result->findings, &outcome.findings, device, planned[i].size);
        failure_note(failure, device, &planned[i], &outcome);
        result->blind |= outcome.blind;
        result->waits |= outcome.waits;
        picture_note(&outcome.wrong, &result->wrong);
        if (i == 0) {
            run_output_show(result, &planned[i], &outcome);
        }
        judge_report_progress(&options->listener, result->exercise, STAGE_CASES, i + 1, count);
        if (outcome.stop) {
            break;
        }
    }
    return status;
}

void run_case_add(struct case_list *cases, const struct planned_case *planned,
                  enum device_kind device, enum verdict verdict) {
    if (cases->count < (int)COUNT(cases->list)) {
        cases->list[cases->count++] = (struct case_result){
            .size = planned->size, .inputs = planned->inputs, .device = device, .verdict = verdict};
    }
}

void run_output_show(struct exercise_result *result, const struct planned_case *planned,
                     const struct run_outcome *outcome) {
    memcpy(result->output.text, outcome->output, sizeof result->output.text);
    result->output.size = planned->size;
}

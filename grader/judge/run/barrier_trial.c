// A wrong index is a race as well, and then a barrier only hides it: see
// decisions/0056-a-barrier-is-tried.md.
#include "judge/run/barrier_trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "exercise/exercise.h"
#include "judge/explain/barrier.h"
#include "judge/explain/finding.h"
#include "judge/model/judgement.h"
#include "judge/run/case.h"

#define SOURCE_MAX        (64u << 10)  // as for values
#define MULTIPLY_ADDS_MAX 2000000u

#define BUFFERS_MAX 4  // copies of a tile that a kernel takes turns with

static bool is_race(const struct judged_finding *judged) {
    return judged->finding.kind == FINDING_RACE && judged->finding.severity == SEVERITY_ERROR;
}

// An array of a few buffers, of which the wrong one may be read or stored.
static bool has_buffers(const struct finding *seen, const struct shared_array_table *shared) {
    const struct shared_array *array =
        seen->array < shared->count ? &shared->array[seen->array] : NULL;
    return array && array->rank > 1 && array->extent[0] > 1 && array->extent[0] <= BUFFERS_MAX;
}

// One barrier, for one race, in an array without buffers is what it seems to be.
static bool is_doubted(const struct run_program *program, const struct finding_list *findings) {
    const struct judged_finding *first = &findings->list[0];
    int races = 0;
    for (int i = 0; i < findings->count; i++) {
        races += is_race(&findings->list[i]);
    }
    return findings->count > 0 && is_race(first) && first->barrier_after > 0 &&
           (races > 1 || first->is_doubted ||
            has_buffers(&first->finding, &program->report.shared));
}

// A mistake may not show in the result of the smallest case that has the race.
static bool is_larger(const struct exercise *exercise, struct planned_case *planned) {
    const int32_t more = 2 * (exercise->tile > 0 ? exercise->tile : 1) + 1;
    for (int i = 0; i < size_rank(planned->size); i++) {
        planned->size.at[i] += more;
    }
    return signature_size_fits(&exercise->signature, planned->size) &&
           size_multiply_adds(planned->size) <= MULTIPLY_ADDS_MAX;
}

// What a launch with the barriers shows.
static enum barrier_use use_of(const struct run_outcome *outcome) {
    bool ends = outcome->verdict == VERDICT_WRONG_RESULT ||
                outcome->verdict == VERDICT_UNINITIALIZED ||
                outcome->verdict == VERDICT_NOT_WRITTEN;
    for (uint32_t i = 0; i < outcome->findings.count; i++) {
        const struct finding *finding = &outcome->findings.list[i];
        ends &= finding->kind != FINDING_RACE || finding->severity != SEVERITY_ERROR;
    }
    return outcome->verdict == VERDICT_PASS ? BARRIER_HELPS
           : ends                           ? BARRIER_FAILS
                                            : BARRIER_UNPROVED;
}

static enum status trial_launch(const struct run_program *program,
                                const struct run_failure *failure, const struct exercise *exercise,
                                enum barrier_use *ret_use, struct error *err) {
    struct planned_case planned = failure->planned;
    struct run_worker worker;
    struct run_outcome outcome;
    planned.again = false;
    planned.no_trials = true;
    run_worker_init(&worker, program);
    enum status status = run_case(&worker, &planned, REQUEST_CHECK, &outcome, err);
    enum barrier_use use = status ? BARRIER_UNPROVED : use_of(&outcome);
    if (use == BARRIER_HELPS && is_larger(exercise, &planned)) {
        status = run_case(&worker, &planned, REQUEST_CHECK, &outcome, err);
        use = status ? BARRIER_UNPROVED : use_of(&outcome);
    }
    run_worker_stop(&worker);
    *ret_use = use;
    return status;
}

// Builds and launches the kernel with the barriers.
static enum status trial_build(const struct run_program *program, const char *text, size_t bytes,
                               bool in_round, const struct run_failure *failure,
                               const struct exercise_result *result, enum barrier_use *ret_use,
                               struct error *err) {
    struct run_program trial = {.scratch = ""};
    char *trial_text = NULL;
    *ret_use = BARRIER_UNPROVED;
    enum status status = barriers_write(text, bytes, &result->findings, in_round, &trial_text, err);
    if (!status) {
        status = run_build(program->machine, DEVICE_EMU, result->exercise,
                           (struct text){trial_text, strlen(trial_text)}, &trial, err);
    }
    if (!status && trial.report.fault == BUILD_FAULT_NONE) {
        status = trial_launch(&trial, failure, result->exercise, ret_use, err);
    }
    run_program_done(&trial);
    free(trial_text);
    return status;
}

static void advice_change(const struct run_program *program, enum barrier_use use,
                          struct finding_list *findings) {
    for (int i = 0; i < findings->count; i++) {
        struct judged_finding *judged = &findings->list[i];
        bool stays = use == BARRIER_IN_ROUND && judged->round_line == 0;
        if (is_race(judged) && judged->barrier_after > 0 && !stays) {
            judged->barrier_use = use;
            judged->barrier_after = judged->barrier_before = 0;
            finding_explain(judged, &program->report.shared);
            words_sentence(
                judged->message, sizeof judged->message, "%s",
                use != BARRIER_FAILS
                    ? ""
                    : _("A barrier alone does not correct this: it ends the data race, but the "
                        "kernel is still wrong. Check which element each of the two lines should "
                        "use."));
        }
    }
}

enum status run_barrier_trial(const struct run_program *program, const char *text, size_t bytes,
                              const struct run_failure *failure, struct exercise_result *result,
                              struct error *err) {
    enum barrier_use use = BARRIER_UNPROVED;
    if (!failure->failed || failure->device != DEVICE_EMU || bytes > SOURCE_MAX ||
        size_multiply_adds(failure->planned.size) > MULTIPLY_ADDS_MAX ||
        !is_doubted(program, &result->findings)) {
        return STATUS_OK;
    }
    enum status status = trial_build(program, text, bytes, false, failure, result, &use, err);
    if (!status && use != BARRIER_HELPS && result->findings.list[0].round_line > 0) {
        enum barrier_use other = BARRIER_UNPROVED;
        status = trial_build(program, text, bytes, true, failure, result, &other, err);
        use = other == BARRIER_HELPS ? BARRIER_IN_ROUND : use > other ? use : other;
    }
    if (!status && use != BARRIER_HELPS) {
        advice_change(program, use, &result->findings);
    }
    return status;
}

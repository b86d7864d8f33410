// What a second build of a wrong kernel shows: the values of variables at the first finding
// (decisions/0036-values.md), accesses outside of a thread's own arrays, and whether the barrier
// that seems to be missing corrects it (decisions/0056-a-barrier-is-tried.md).
#include "judge/diagnose/diagnose.h"

#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "exercise/exercise.h"
#include "judge/code/barrier_place.h"
#include "judge/model/judgement.h"
#include "judge/run/cases.h"
#include "judge/run/findings_merge.h"
#include "judge/say/finding_text.h"
#include "judge/say/values_story.h"

// More would take too long, for a text alone.
#define SOURCE_MAX        (64u << 10)  // bytes of a file that is compiled again
#define MULTIPLY_ADDS_MAX 2000000u     // of the launch

// A mistake of one thread at one access of the launch that failed, or a condition that keeps a
// thread from a barrier.
static bool has_values(const struct judged_finding *finding, const struct run_failure *failure) {
    uint32_t kind = finding->finding.kind;
    bool guarded = kind == FINDING_BARRIER_DIVERGENCE && finding->guard != GUARD_NONE &&
                   finding->guarded_line == finding->finding.line;
    return finding->finding.severity == SEVERITY_ERROR && finding->device == DEVICE_EMU &&
           finding->finding.line > 0 && finding->finding.pc != 0 &&
           size_equal(finding->size, failure->planned.size) &&
           (guarded || kind == FINDING_OUT_OF_BOUNDS || kind == FINDING_UNINITIALIZED ||
            kind == FINDING_MISALIGNED || kind == FINDING_INPUT_WRITTEN || kind == FINDING_CRASH);
}

// Two builds may number the shared arrays differently, so they are compared by name.
static bool is_same_access(const struct finding *a, const struct judged_finding *finding,
                           const struct shared_array_table *shared) {
    const struct finding *b = &finding->finding;
    bool is_shared = a->space == SPACE_SHARED && a->array < shared->count;
    bool same_array = is_shared ? strncmp(shared->array[a->array].name, finding->array,
                                          sizeof finding->array - 1) == 0
                                : a->array == b->array;
    return a->kind == b->kind && a->space == b->space && same_array && a->offset == b->offset &&
           a->access == b->access && memcmp(a->block, b->block, sizeof a->block) == 0 &&
           memcmp(a->thread, b->thread, sizeof a->thread) == 0;
}

// Launches the failing case with the noting program.
static enum status values_launch(const struct run_program *program,
                                 const struct run_failure *failure, const struct index_watch *watch,
                                 struct judged_finding *finding, struct error *err) {
    struct run_outcome outcome;
    enum status status = run_case_alone(program, &failure->planned, REQUEST_CHECK, &outcome, err);
    for (uint32_t i = 0; !status && i < outcome.findings.count; i++) {
        const struct finding *seen = &outcome.findings.list[i];
        if (is_same_access(seen, finding, &program->report.shared) &&
            values_explain(finding, watch, seen->value_count, seen->value)) {
            break;
        }
    }
    return status;
}

enum status run_values(const struct run_program *program, const char *text, size_t bytes,
                       const struct run_failure *failure, struct exercise_result *result,
                       struct error *err) {
    struct judged_finding *finding = &result->findings.list[0];
    struct run_program noting = {.scratch = ""};
    struct index_watch watch;
    char *noting_text = NULL;
    if (!failure->failed || failure->device != DEVICE_EMU || result->findings.count == 0 ||
        bytes > SOURCE_MAX || size_multiply_adds(failure->planned.size) > MULTIPLY_ADDS_MAX ||
        !has_values(finding, failure)) {
        return STATUS_OK;
    }
    enum status status = watch_choose(text, bytes, finding, program->kernel, &watch, err);
    if (status) {
        return status;
    }
    if (watch.count > 0) {
        status = watch_write(&watch, &noting_text, err);
        if (!status) {
            status = run_build(program->machine, DEVICE_EMU, result->exercise,
                               (struct text){noting_text, strlen(noting_text)}, &noting, err);
        }
        if (!status && noting.report.fault == BUILD_FAULT_NONE) {
            status = values_launch(&noting, failure, &watch, finding, err);
        }
        run_program_done(&noting);
    }
    free(noting_text);
    watch_done(&watch);
    return status;
}

// A wrong C, or an access that is a consequence, may come from a store outside of a local array.
static bool may_be_local(const struct run_failure *failure, const struct exercise_result *result) {
    for (int i = 0; i < result->findings.count; i++) {
        if (result->findings.list[i].finding.severity == SEVERITY_ERROR) {
            return false;
        }
    }
    return failure->failed && failure->device == DEVICE_EMU &&
           failure->outcome.verdict == VERDICT_WRONG_RESULT &&
           (failure->outcome.explained == EXPLAINED_NOTHING || failure->outcome.unset) &&
           size_multiply_adds(failure->planned.size) <= MULTIPLY_ADDS_MAX;
}

// Finishes the finding with the program that made it, and puts it before the others.
static enum status finding_put(const struct run_program *program, const struct submitted *source,
                               const struct findings *seen, struct size size,
                               struct exercise_result *result, struct error *err) {
    struct finding_list *list = calloc(1, sizeof *list);
    if (!list) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a finding");
    }
    run_findings_add(list, seen, DEVICE_EMU, size);
    enum status status = run_findings_finish(program, source, VERDICT_OUT_OF_BOUNDS, list, err);
    if (!status && list->count > 0) {
        int others =
            result->findings.count < FINDINGS_MAX ? result->findings.count : FINDINGS_MAX - 1;
        memmove(&result->findings.list[1], &result->findings.list[0],
                (size_t)others * sizeof result->findings.list[0]);
        result->findings.list[0] = list->list[0];
        result->findings.count = others + 1;
        result->verdict = VERDICT_OUT_OF_BOUNDS;
    }
    free(list);
    return status;
}

// Launches the failing case with the checking program.
static enum status locals_launch(const struct run_program *program, const struct submitted *source,
                                 const struct run_failure *failure, struct exercise_result *result,
                                 struct error *err) {
    struct run_outcome outcome;
    enum status status = run_case_alone(program, &failure->planned, REQUEST_CHECK, &outcome, err);
    for (uint32_t i = 0; !status && i < outcome.findings.count; i++) {
        const struct findings one = {.count = 1, .list = {outcome.findings.list[i]}};
        if (one.list[0].flags & FINDING_LOCAL) {
            return finding_put(program, source, &one, failure->planned.size, result, err);
        }
    }
    return status;
}

enum status run_locals(const struct run_program *program, const struct submitted *source,
                       const char *text, size_t bytes, const struct run_failure *failure,
                       struct exercise_result *result, struct error *err) {
    struct run_program checking = {.scratch = ""};
    if (bytes > SOURCE_MAX || !may_be_local(failure, result)) {
        return STATUS_OK;
    }
    struct judge_machine machine = *program->machine;
    machine.paths.checks_locals = true;
    enum status status = run_build(&machine, DEVICE_EMU, result->exercise,
                                   (struct text){text, bytes}, &checking, err);
    if (!status && checking.report.fault == BUILD_FAULT_NONE) {
        status = locals_launch(&checking, source, failure, result, err);
    }
    run_program_done(&checking);
    return status;
}

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

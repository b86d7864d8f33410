// Only the text that is compiled differs: see decisions/0036-values.md.
#include "judge/run/values.h"

#include <stdlib.h>
#include <string.h>

#include "exercise/exercise.h"
#include "judge/explain/finding.h"
#include "judge/explain/values.h"
#include "judge/model/judgement.h"
#include "judge/run/case.h"

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

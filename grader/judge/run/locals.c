// The checks halve the speed of a kernel with local arrays, so only a wrong one has them.
#include "judge/run/locals.h"

#include <stdlib.h>
#include <string.h>

#include "judge/model/judgement.h"
#include "judge/run/case.h"
#include "judge/run/findings.h"

#define SOURCE_MAX        (64u << 10)  // as for values
#define MULTIPLY_ADDS_MAX 2000000u

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

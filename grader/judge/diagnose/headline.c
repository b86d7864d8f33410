// Decides which cause comes first: writes the headline and detail of an exercise, from the outcomes
// of its launches.
#include "judge/diagnose/diagnose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "base/text.h"
#include "exercise/stub.h"
#include "judge/code/kernel_text.h"
#include "judge/model/judgement.h"
#include "judge/run/findings_merge.h"
#include "judge/say/finding_text.h"

// The first sentence of text goes into the headline, after file and size; all of it into detail. If
// the text concerns a line, the line replaces the size: the line is the same for every size, and
// detail has the rest.
static void explain_text(struct exercise_result *result, struct size size, int line,
                         const char *text) {
    char size_text[SIZE_TEXT_MAX];
    char first[ERROR_TEXT_MAX];
    size_t length = words_sentence_end(text);
    bool more = text[length] != '\0';
    memcpy(first, text, length);
    first[length] = '\0';
    size_format(size, size_text);
    if (line > 0) {
        words_write(result->why.headline, sizeof result->why.headline, "%.200s:%d: %s",
                    result->file, line, first);
        text += length + (text[length] == WORDS_GAP);
    } else {
        words_write(result->why.headline, sizeof result->why.headline, "%.200s: size %s: %s",
                    result->file, size_text, first);
    }
    (void)snprintf(result->why.detail, sizeof result->why.detail, "%s", more ? text : "");
}

// True if there is better evidence for a cause than the wrong elements: a guess from them is then
// more likely to mislead than to help.
static bool has_clue(const struct exercise_result *result) {
    bool clue = result->why.diagnostics && result->why.diagnostics[0] != '\0';
    for (int i = 0; i < result->findings.count && !clue; i++) {
        clue = result->findings.list[i].finding.severity >= SEVERITY_WARNING;
    }
    return clue;
}

// The warning that threads had left before a barrier, that an output was read before it was stored,
// or of the host code; NULL if there is none.
static const struct judged_finding *explaining_warning(const struct exercise_result *result) {
    for (int i = 0; i < result->findings.count; i++) {
        const struct finding *finding = &result->findings.list[i].finding;
        bool old = finding->kind == FINDING_UNINITIALIZED && finding->space == SPACE_GLOBAL &&
                   finding->severity == SEVERITY_WARNING;
        bool host = finding->kind == FINDING_HOST && finding->severity == SEVERITY_WARNING;
        if (old || host || finding->kind == FINDING_EXITED_BEFORE_BARRIER) {
            return &result->findings.list[i];
        }
    }
    return NULL;
}

// A note that two threads store the same value to an element of an output; NULL if there is none.
static const struct judged_finding *shared_store(const struct exercise_result *result) {
    const struct signature *signature = &result->exercise->signature;
    for (int i = 0; i < result->findings.count; i++) {
        const struct finding *finding = &result->findings.list[i].finding;
        if (!result->exercise->is_program && finding->kind == FINDING_RACE &&
            finding->severity == SEVERITY_NOTE && finding->space == SPACE_GLOBAL &&
            finding->line > 0 && finding->array < (uint32_t)signature->parameter_count &&
            parameter_is_output(&signature->parameter[finding->array])) {
            return &result->findings.list[i];
        }
    }
    return NULL;
}

// Elements are missing because threads store others twice: the line of that store says more than
// the launch.
static void explain_shared_store(const struct exercise_result *result, struct size size,
                                 struct run_outcome *outcome) {
    const struct judged_finding *note = shared_store(result);
    if (!note || !size_equal(note->size, size) || outcome->text_verdict != VERDICT_NOT_WRITTEN ||
        outcome->explained == EXPLAINED_PLACES || outcome->line > 0) {
        return;
    }
    outcome->text[outcome->launch_at] = '\0';
    finding_observed(note, outcome->text);
    words_sentence(outcome->text, sizeof outcome->text,
                   "Should each of the two store another element?");
    outcome->line = (int)note->finding.line;
}

// Elements are missing, and the text of the kernel shows why the only line that stores to this
// output did not store them.
static void explain_only_store(const char *text, const struct exercise_result *result,
                               struct size size, struct run_outcome *outcome) {
    const struct signature *signature = &result->exercise->signature;
    const struct parameter *output = &signature->parameter[outcome->unwritten];
    if (outcome->text_verdict != VERDICT_NOT_WRITTEN || outcome->explained == EXPLAINED_PLACES ||
        outcome->line > 0) {
        return;
    }
    struct only_store store = only_store_find(text, output->name, outcome->unwritten);
    if (store.line > 0 && outcome->is_untouched && store.conditions > 0) {
        outcome->text[outcome->launch_at] = '\0';
        outcome->line = store.outermost.line;
        if (store.conditions == 1) {
            words_sentence(outcome->text, sizeof outcome->text,
                           "Only line %d stores to %s, and no thread gets there: see the condition "
                           "`%.127s` in line %d.",
                           store.line, output->name, store.outermost.text, store.outermost.line);
        } else {
            words_sentence(
                outcome->text, sizeof outcome->text,
                "Only line %d stores to %s, and no thread gets there: see the conditions "
                "`%.127s` in line %d and `%.127s` in line %d.",
                store.line, output->name, store.outermost.text, store.outermost.line,
                store.innermost.text, store.innermost.line);
        }
    } else if (store.line > 0 && store.loop_line > 0 && outcome->threads > 0 &&
               outcome->threads < parameter_elements(signature, output, size)) {
        outcome->text[outcome->launch_at] = '\0';
        outcome->line = store.line;
        words_sentence(outcome->text, sizeof outcome->text,
                       "Line %d stores to %.63s in each round of the loop of line %d, but nothing "
                       "in this loop changes the index, so each thread stores only one element.",
                       store.line, store.element, store.loop_line);
    }
}

// The cause comes first, then the observation; a guess counts as the cause only if nothing is
// known.
static void failure_text(const struct run_outcome *outcome, bool clue, char text[ERROR_TEXT_MAX]) {
    const char *guess = clue ? "" : outcome->guess;
    bool known = outcome->cause[0] != '\0';
    text[0] = '\0';
    words_sentence(text, ERROR_TEXT_MAX, "%s", known ? outcome->cause : guess);
    words_sentence(text, ERROR_TEXT_MAX, "%s", outcome->text);
    words_sentence(text, ERROR_TEXT_MAX, "%s", known ? guess : "");
}

// True if there are exact cases, and all are right.
static bool is_right_if_exact(const struct case_list *cases) {
    int exact = 0;
    for (int i = 0; i < cases->count; i++) {
        bool is_exact = cases->list[i].inputs == INPUTS_EXACT;
        if (is_exact && cases->list[i].verdict != VERDICT_PASS) {
            return false;
        }
        exact += is_exact;
    }
    return exact > 0;
}

// A loop that waits for another thread's store is primarily a race, which the time limit hides.
static void explain_wait(struct exercise_result *result) {
    uint32_t line = result->findings.list[0].finding.line;
    for (int i = 1; i < result->findings.count; i++) {
        const struct judged_finding *judged = &result->findings.list[i];
        const struct finding *finding = &judged->finding;
        bool here = line > 0 && (finding->line == line || finding->other_line == line);
        if (here && finding->kind == FINDING_RACE && finding->severity == SEVERITY_ERROR) {
            words_write(result->why.detail, sizeof result->why.detail,
                        "The loop that does not end has a data race: %s. To wait for other "
                        "threads, use a barrier.",
                        judged->clause);
            return;
        }
    }
}

// The kernel is wrong only in cases with real inputs.
static void explain_reals(const struct signature *signature, enum inputs_kind kind,
                          char text[ERROR_TEXT_MAX]) {
    static const char *const others[INPUTS_KINDS] = {
        [INPUTS_BINADES] = _("The result is right in every case with whole numbers; here, values "
                             "are very large or very small, and some are 0."),
        [INPUTS_EQUAL] = _("The result is right in every case with whole numbers; here, all "
                           "elements of an input are equal."),
        [INPUTS_SPECIAL] = _("The result is right in every case with whole numbers; here, some "
                             "values are infinite, 0, -0, very large or very small."),
        [INPUTS_SPARSE] =
            _("The result is right in every other case with whole numbers; here, many "
              "elements are 0, are equal to their neighbours or cancel them, and an "
              "output of floating-point numbers holds 1.5 before the launch."),
    };
    if (others[kind]) {
        words_sentence(text, ERROR_TEXT_MAX, "%s", others[kind]);
        return;
    }
    for (int i = 0; i < signature->parameter_count; i++) {
        if (signature->parameter[i].draw.order == DRAW_ALIKE) {
            words_sentence(text, ERROR_TEXT_MAX,
                           _("The result is right in every case where the elements of %s differ; "
                             "here they are all equal."),
                           signature->parameter[i].name);
            return;
        }
    }
    words_sentence(text, ERROR_TEXT_MAX,
                   signature->is_matmul
                       ? _("C is right in every case where A and B hold whole numbers.")
                       : _("The result is right in every case with whole numbers."));
}

// Says what is wrong if cases have failed: the finding of the verdict, else the text of the case.
static void explain_failure(struct exercise_result *result, const struct run_failure *failure) {
    char text[ERROR_TEXT_MAX];
    failure_text(&failure->outcome, has_clue(result), text);
    if (result->verdict == VERDICT_WRONG_RESULT && failure->planned.inputs != INPUTS_EXACT &&
        is_right_if_exact(&result->cases)) {
        explain_reals(&result->exercise->signature, failure->planned.inputs, text);
    }
    if (result->findings.count > 0 &&
        finding_verdict(&result->findings.list[0].finding) == result->verdict) {
        finding_headline(&result->findings.list[0], result->file, result->why.headline);
        if (failure->outcome.text_verdict != VERDICT_PASS) {
            (void)snprintf(result->why.detail, sizeof result->why.detail, "%s", text);
        } else if (result->verdict == VERDICT_TIME_LIMIT) {
            explain_wait(result);
        }
        return;
    }
    const struct judged_finding *warning =
        failure->outcome.cause[0] == '\0' ? explaining_warning(result) : NULL;
    if (warning) {
        // Threads that have ended copy nothing, and the wrong elements alone do not show that.
        finding_headline(warning, result->file, result->why.headline);
        (void)snprintf(result->why.detail, sizeof result->why.detail, "%s", text);
        return;
    }
    explain_text(result, failure->planned.size, failure->outcome.line, text);
}

// LAUNCH_CONFIG is code too, and the machine knows where it was stopped.
static void explain_config(struct exercise_result *result, const struct run_failure *failure) {
    const struct judged_finding *finding = &result->findings.list[0];
    if (result->verdict == VERDICT_BAD_LAUNCH && failure->outcome.findings.count > 0 &&
        result->findings.count > 0 && finding->finding.line > 0) {
        words_write(result->why.headline, sizeof result->why.headline,
                    "%.200s:%u: LAUNCH_CONFIG did not end well: %s.", result->file,
                    finding->finding.line, finding->clause);
    }
}

// The limits of a kernel that did not end.
static void explain_limits(struct exercise_result *result, const struct run_failure *failure) {
    if (result->verdict == VERDICT_TIME_LIMIT && failure->outcome.limits.time_ms > 0) {
        run_limits_write(failure->device, failure->planned.size, &failure->outcome.limits,
                         result->why.detail, sizeof result->why.detail);
    }
    const struct judged_finding *note = shared_store(result);
    if (note && result->verdict == VERDICT_TIME_LIMIT) {
        char size[SIZE_TEXT_MAX];
        size_format(note->size, size);
        finding_observed(note, result->why.detail);
        words_sentence(result->why.detail, sizeof result->why.detail,
                       "This was at size %s. Does each thread do the work of all?", size);
    }
}

// The mistake was found at a smaller size than in the launch that was cut short.
static void explain_unended(struct exercise_result *result, const struct run_failure *failure) {
    char size[SIZE_TEXT_MAX];
    struct judged_finding *first = &result->findings.list[0];
    if (failure->unended.at[0] > 0 && result->findings.count > 0) {
        size_format(failure->unended, size);
        words_sentence(first->message, sizeof first->message,
                       "At size %s the kernel did not end in time. This mistake may be the reason, "
                       "so correct it first.",
                       size);
    }
}

// C has a number that cannot come from A and B, and an array is __shared__ in the stub but not in
// the kernel: each thread then reads elements that it never stored.
static void blame_unshared(const struct run_kernel *kernel, struct run_outcome *outcome) {
    if (outcome->verdict != VERDICT_WRONG_RESULT || !outcome->unset || !kernel->stub) {
        return;
    }
    struct unshared array = unshared_find(kernel->stub, kernel->prepared);
    if (array.line > 0) {
        outcome->line = array.line;
        outcome->cause[0] = '\0';
        words_sentence(outcome->cause, sizeof outcome->cause,
                       "`%s` is declared without `__shared__`, so each thread has one of its own "
                       "and finds in it only what it has stored itself.",
                       array.name);
    }
}

// The place of the store that is missing.
static void only_store_say(struct only_store store, struct judged_finding *finding) {
    if (store.line > 0 && store.conditions > 0) {
        words_sentence(finding->message, sizeof finding->message,
                       "Only line %d stores to %s: see the condition `%.127s` in line %d.",
                       store.line, finding->array, store.innermost.text, store.innermost.line);
    } else if (store.line > 0) {
        words_sentence(finding->message, sizeof finding->message, "Only line %d stores to %s.",
                       store.line, finding->array);
    }
}

// Facts about the file that may be the cause: the names of its parameters, and the compiler's
// warnings.
static void add_facts(const struct run_kernel *kernel, struct exercise_result *result) {
    char name[KERNEL_BYTES_MAX];
    int todo[TODOS_MAX];
    struct judged_finding *first = &result->findings.list[0];
    bool is_cause =
        result->findings.count > 0 && finding_verdict(&first->finding) == result->verdict;
    exercise_kernel_name(result->exercise, name);
    if (is_cause && first->finding.kind == FINDING_CRASH &&
        first->finding.detail == CRASH_NULL_POINTER && kernel->prepared &&
        workspace_is_unset(kernel->prepared)) {
        words_sentence(first->message, sizeof first->message,
                       "LAUNCH_CONFIG does not set launch->workspace_bytes, so the workspace is a "
                       "null pointer in every launch.");
    }
    if (is_cause && first->finding.kind == FINDING_UNINITIALIZED &&
        first->finding.space == SPACE_SHARED && kernel->prepared && first->array[0] != '\0') {
        only_store_say(only_store_find(kernel->prepared, first->array, -1), first);
    }
    if (kernel->prepared && result->exercise->signature.is_matmul) {
        bool sizes = !is_cause || first->value_count == 0;  // else the values show this
        explain_parameter_order(kernel->prepared, name, sizes,
                                is_cause ? first->message : result->why.detail);
    }
    if (kernel->built[DEVICE_EMU]) {
        bool unfinished = kernel->stub && todo_open(kernel->stub, kernel->prepared, todo) > 0;
        run_warnings_add(kernel->program[DEVICE_EMU].report.diagnostics, name, !unfinished, result);
    }
}

enum status run_explain(const struct run_kernel *kernel, struct exercise_result *result,
                        struct run_failure *failure, struct error *err) {
    const struct run_program *explainer =
        &kernel->program[kernel->built[DEVICE_EMU] ? DEVICE_EMU : DEVICE_GPU];
    enum status status =
        run_findings_finish(explainer, &kernel->source, result->verdict, &result->findings, err);
    if (!status) {
        status = run_second_builds(kernel, failure, result, err);
    }
    if (!status) {
        bool explained = failure->failed && failure->outcome.explained == EXPLAINED_TERMS &&
                         failure->outcome.verdict == VERDICT_WRONG_RESULT &&
                         !failure->outcome.unset;
        run_uninitialized_add(
            kernel->built[DEVICE_EMU] ? kernel->program[DEVICE_EMU].report.diagnostics : NULL,
            &kernel->source, explained, result);
    }
    if (!status && failure->failed) {
        blame_unshared(kernel, &failure->outcome);
        if (result->findings.count > 0 && failure->outcome.block[0] > 0) {
            finding_add_block(&result->findings.list[0], &explainer->report.shared,
                              failure->outcome.block);
        }
        result->why.repeat_size = failure->planned.size;
        run_output_show(result, &failure->planned, &failure->outcome);
        explain_shared_store(result, failure->planned.size, &failure->outcome);
        if (kernel->prepared && !result->exercise->is_program) {
            explain_only_store(kernel->prepared, result, failure->planned.size, &failure->outcome);
        }
        explain_failure(result, failure);
        explain_config(result, failure);
        explain_limits(result, failure);
        explain_unended(result, failure);
        add_facts(kernel, result);
    }
    return status;
}

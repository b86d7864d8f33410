// Judges one exercise on every asked device: see run.h.
//
// The CPU device goes first, because it explains; what it finds wrong is not run on a GPU.  The
// verdict is the first in precedence over all cases that were run.
#include "judge/run.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/diagnostics.h"
#include "device/source_check.h"
#include "exercise/stub.h"
#include "judge/explain_finding.h"
#include "judge/explain_signature.h"
#include "judge/run_cases.h"
#include "judge/run_findings.h"
#include "judge/run_unset.h"

void run_kernel_done(struct run_kernel *kernel) {
    judge_source_done(&kernel->source);
    free(kernel->prepared);
    kernel->prepared = NULL;
    for (int i = 0; i < DEVICE_KIND_COUNT; i++) {
        if (kernel->built[i]) {
            run_program_done(&kernel->program[i]);
            kernel->built[i] = false;
        }
    }
}

static void conclude(struct exercise_result *result, enum verdict verdict, const char *headline) {
    result->verdict = verdict;
    (void)snprintf(result->headline, sizeof result->headline, "%s", headline);
}

// True in *ret_untouched where the file has the tokens of the stub.
static enum status stub_compare(const struct judge_options *options,
                                const struct exercise *exercise, const struct run_kernel *kernel,
                                bool *ret_untouched, struct error *err) {
    char *stub = NULL;
    enum status status = stub_of(options->course, exercise, &stub, err);
    if (!status) {
        *ret_untouched =
            token_streams_equal(kernel->prepared, kernel->prepared_bytes, stub, strlen(stub));
        free(stub);
    }
    return status;
}

static enum verdict verdict_of_fault(enum build_fault fault) {
    switch (fault) {
    case BUILD_FAULT_NONE:
        return VERDICT_PASS;
    case BUILD_FAULT_ERROR:
        return VERDICT_BUILD_ERROR;
    case BUILD_FAULT_NOT_ALLOWED:
        return VERDICT_NOT_ALLOWED;
    case BUILD_FAULT_NO_KERNEL:
    case BUILD_FAULT_NO_CONFIG:
        return VERDICT_NO_KERNEL;
    case BUILD_FAULT_BAD_SIGNATURE:
        return VERDICT_BAD_SIGNATURE;
    case BUILD_FAULT_NEEDS_GPU:
        return VERDICT_NEEDS_GPU;
    case BUILD_FAULT_MEMORY:
        return VERDICT_MEMORY_LIMIT;
    case BUILD_FAULT_COUNT:
        break;
    }
    assert(!"a fault of a build without a verdict");
    return VERDICT_NO_ANSWER;
}

// What stands below the sentence about a fault: the compiler's messages, else the line itself, and
// for a wrong list of parameters the right one.
static char *fault_lines(const struct exercise_result *result, const struct judge_source *source,
                         const struct build_report *report) {
    char lines[1024];
    char quote[SOURCE_LINE_MAX];
    char kernel[NAME_BYTES_MAX + 16];
    if (report->fault != BUILD_FAULT_BAD_SIGNATURE && report->diagnostics &&
        report->diagnostics[0] != '\0') {
        return strdup(report->diagnostics);
    }
    (void)snprintf(kernel, sizeof kernel, "matmul_%s", result->exercise->name);
    judge_source_line(source->text, source->bytes, (unsigned)report->line, quote, sizeof quote);
    lines[0] = '\0';
    bool is_text = !memchr(source->text, '\0', source->bytes);
    if (is_text && quote[0] != '\0') {
        (void)snprintf(lines, sizeof lines, "%3d | %s\n", report->line, quote);
    }
    if (report->fault == BUILD_FAULT_BAD_SIGNATURE) {
        size_t used = strlen(lines);
        explain_signature(source->text, kernel, lines + used, sizeof lines - used);
    }
    return strdup(lines);
}

// The verdict that a failed build stands for; the first in precedence over the devices stays.
static enum status note_fault(struct exercise_result *result, const struct judge_source *source,
                              const struct build_report *report, struct error *err) {
    enum verdict verdict = verdict_of_fault(report->fault);
    if (verdict >= result->verdict) {
        return STATUS_OK;
    }
    result->verdict = verdict;
    if (report->line > 0) {
        (void)snprintf(result->headline, sizeof result->headline, "%.200s:%d: %.700s", result->file,
                       report->line, report->text);
    } else {
        (void)snprintf(result->headline, sizeof result->headline, "%.200s: %.700s", result->file,
                       report->text);
    }
    free(result->diagnostics);
    result->diagnostics = fault_lines(result, source, report);
    return result->diagnostics ? STATUS_OK
                               : fail(err, STATUS_NO_MEMORY, "no memory for a compiler's messages");
}

// A file that is gone or empty can be had again.
static void stub_offer(struct exercise_result *result) {
    (void)snprintf(result->detail, sizeof result->detail,
                   "`make reset EX=%s` brings the stub back.", result->exercise->name);
}

// Makes the copy that compilers get.
static enum status prepare(struct exercise_result *result, struct run_kernel *kernel,
                           struct error *err) {
    struct build_report report = {.fault = BUILD_FAULT_NONE};
    enum status status = source_prepare(kernel->source.text, kernel->source.bytes,
                                        &kernel->prepared, &kernel->prepared_bytes, &report, err);
    if (status || report.fault == BUILD_FAULT_NONE) {
        return status;
    }
    if (report.fault == BUILD_FAULT_NO_KERNEL) {
        stub_offer(result);
    }
    return note_fault(result, &kernel->source, &report, err);
}

static bool is_used(const struct judge_options *options, enum device_kind kind) {
    return kind == DEVICE_EMU ? options->use_emu : options->use_gpu;
}

// Builds for every asked device.  What the CPU device cannot run is left to the GPU where there is
// one.
static enum status build_all(const struct judge_options *options, struct exercise_result *result,
                             struct run_kernel *kernel, struct error *err) {
    for (int i = 0; i < DEVICE_KIND_COUNT; i++) {
        if (!is_used(options, (enum device_kind)i)) {
            continue;
        }
        enum status status =
            run_build(options, (enum device_kind)i, result->exercise->name, kernel->prepared,
                      kernel->prepared_bytes, &kernel->program[i], err);
        if (status) {
            return status;
        }
        kernel->built[i] = true;
        const struct build_report *report = &kernel->program[i].report;
        if (report->fault == BUILD_FAULT_NEEDS_GPU && options->use_gpu) {
            run_program_done(&kernel->program[i]);
            kernel->built[i] = false;
            continue;
        }
        status = note_fault(result, &kernel->source, report, err);
        if (status) {
            return status;
        }
    }
    return STATUS_OK;
}

// The first sentence of text goes into the headline, behind file and size; all of it into detail.
// Of a text that speaks of a line, the line stands there: it is the same for every size.
static void explain_text(struct exercise_result *result, struct size size, int line,
                         const char *text) {
    char size_text[SIZE_TEXT_MAX];
    const char *end = strstr(text, ". ");
    int length = end ? (int)(end - text) + 1 : (int)strlen(text);
    size_format(size, size_text);
    if (line > 0) {
        (void)snprintf(result->headline, sizeof result->headline, "%.200s:%d: %.*s", result->file,
                       line, length, text);
    } else {
        (void)snprintf(result->headline, sizeof result->headline, "%.200s: size %s: %.*s",
                       result->file, size_text, length, text);
    }
    (void)snprintf(result->detail, sizeof result->detail, "%s", end ? text : "");
}

// True where something else than the product speaks of a cause: the guess from wrong elements is
// then more likely to mislead than to help.
static bool has_clue(const struct exercise_result *result) {
    bool clue = result->diagnostics && result->diagnostics[0] != '\0';
    for (int i = 0; i < result->finding_count && !clue; i++) {
        clue = result->findings[i].finding.severity >= SEVERITY_WARNING;
    }
    return clue;
}

// A variable without a value lives in a register, where no checker sees it; the compiler may have.
static enum status note_uninitialized(struct exercise_result *result,
                                      const struct run_kernel *kernel, struct error *err) {
    if (!kernel->built[DEVICE_EMU] || !kernel->program[DEVICE_EMU].report.diagnostics) {
        return STATUS_OK;
    }
    run_unset_add(kernel->program[DEVICE_EMU].report.diagnostics, &kernel->source, result);
    free(result->diagnostics);
    result->diagnostics = NULL;
    return diagnostics_uninitialized(kernel->program[DEVICE_EMU].report.diagnostics,
                                     &result->diagnostics, err);
}

// The warning that threads had left before a barrier; NULL where there is none.
static const struct judged_finding *left_early(const struct exercise_result *result) {
    for (int i = 0; i < result->finding_count; i++) {
        if (result->findings[i].finding.kind == FINDING_EXITED_BEFORE_BARRIER) {
            return &result->findings[i];
        }
    }
    return NULL;
}

// The cause first, then what was seen; a guess is a cause only where nothing is known.
static void failure_text(const struct run_outcome *outcome, bool clue, char text[ERROR_TEXT_MAX]) {
    const char *guess = clue ? "" : outcome->guess;
    const char *first = outcome->cause[0] != '\0' ? outcome->cause : guess;
    const char *last = outcome->cause[0] != '\0' ? guess : "";
    (void)snprintf(text, ERROR_TEXT_MAX, "%s%s%.360s%s%s", first,
                   first[0] != '\0' && outcome->text[0] != '\0' ? " " : "", outcome->text,
                   last[0] != '\0' ? " " : "", last);
}

// A loop that waits for what another thread stores is a race first, which hides behind the time
// limit.
static void explain_wait(struct exercise_result *result) {
    uint32_t line = result->findings[0].finding.line;
    for (int i = 1; i < result->finding_count; i++) {
        const struct judged_finding *judged = &result->findings[i];
        const struct finding *finding = &judged->finding;
        bool here = line > 0 && (finding->line == line || finding->other_line == line);
        if (here && finding->kind == FINDING_RACE && finding->severity == SEVERITY_ERROR) {
            (void)snprintf(result->detail, sizeof result->detail,
                           "The loop waits in a data race: %.300s. Threads wait for each other at "
                           "barriers.",
                           judged->clause);
            return;
        }
    }
}

// Says what is wrong where cases have failed: the finding that stands for the verdict, else the
// text of the case.
static void explain_failure(struct exercise_result *result, const struct run_failure *failure) {
    char text[ERROR_TEXT_MAX];
    failure_text(&failure->outcome, has_clue(result), text);
    if (result->finding_count > 0 &&
        finding_verdict(&result->findings[0].finding) == result->verdict) {
        finding_headline(&result->findings[0], result->file, result->headline);
        if (failure->outcome.text_verdict != VERDICT_PASS) {
            (void)snprintf(result->detail, sizeof result->detail, "%s", text);
        } else if (result->verdict == VERDICT_TIME_LIMIT) {
            explain_wait(result);
        }
        return;
    }
    const struct judged_finding *left =
        failure->outcome.cause[0] == '\0' ? left_early(result) : NULL;
    if (left) {
        // Threads that are gone copy nothing, and the wrong elements alone do not tell that.
        finding_headline(left, result->file, result->headline);
        (void)snprintf(result->detail, sizeof result->detail, "%s", text);
        return;
    }
    explain_text(result, failure->planned.size, failure->outcome.line, text);
}

// LAUNCH_CONFIG is code too, and the machine knows where it was stopped.
static void explain_config(struct exercise_result *result, const struct run_failure *failure) {
    const struct judged_finding *finding = &result->findings[0];
    if (result->verdict == VERDICT_BAD_LAUNCH && failure->outcome.findings.count > 0 &&
        result->finding_count > 0 && finding->finding.line > 0) {
        (void)snprintf(result->headline, sizeof result->headline,
                       "%.200s:%u: LAUNCH_CONFIG did not end well: %.400s.", result->file,
                       finding->finding.line, finding->clause);
    }
}

// Finishes the findings, and says what is wrong where a launch has failed.
static enum status run_explain(const struct run_kernel *kernel, struct exercise_result *result,
                               const struct run_failure *failure, struct error *err) {
    const struct run_program *explainer =
        &kernel->program[kernel->built[DEVICE_EMU] ? DEVICE_EMU : DEVICE_GPU];
    enum status status = run_findings_finish(explainer, &kernel->source, result->verdict,
                                             result->findings, &result->finding_count, err);
    if (!status) {
        status = note_uninitialized(result, kernel, err);
    }
    if (!status && failure->failed) {
        result->repeat_size = failure->planned.size;
        run_output_show(result, &failure->planned, &failure->outcome);
        explain_failure(result, failure);
        explain_config(result, failure);
    }
    return status;
}

// Runs the cases on every device that has a program.
static enum status run_devices(const struct judge_options *options, struct exercise_result *result,
                               struct run_kernel *kernel, struct error *err) {
    struct run_failure failure = {.failed = false};
    enum status status = STATUS_OK;
    for (int i = 0; i < DEVICE_KIND_COUNT && !status; i++) {
        // What the CPU device has found wrong is explained and cannot become right; a GPU, which
        // others may be using, is spared a kernel that hangs or brings its context down.
        if (kernel->built[i] && !failure.failed) {
            status = run_cases(options, &kernel->program[i], result, &failure, err);
        }
    }
    if (!status && failure.failed) {
        result->verdict = failure.outcome.verdict;
        status = run_cases_shrink(options, &kernel->program[failure.device], result, &failure, err);
    }
    return status ? status : run_explain(kernel, result, &failure, err);
}

enum status run_exercise(const struct judge_options *options, struct exercise_result *result,
                         struct run_kernel *kernel, struct error *err) {
    bool untouched = false;
    result->verdict = VERDICT_PASS;
    result->complete = true;
    enum status status = judge_source_read(options->submission, result->file, &kernel->source, err);
    if (status) {
        return status;
    }
    (void)snprintf(result->sha256, sizeof result->sha256, "%s", kernel->source.sha256);
    if (kernel->source.verdict != VERDICT_PASS) {
        conclude(result, kernel->source.verdict, kernel->source.headline);
        if (kernel->source.absent) {
            stub_offer(result);
        }
        return STATUS_OK;
    }
    status = prepare(result, kernel, err);
    if (status || result->verdict != VERDICT_PASS) {
        return status;
    }
    status = stub_compare(options, result->exercise, kernel, &untouched, err);
    if (status) {
        return status;
    }
    if (untouched) {
        char text[ERROR_TEXT_MAX];
        (void)snprintf(text, sizeof text, "%.200s is still the stub: fill in its TODO parts.",
                       result->file);
        conclude(result, VERDICT_NOT_STARTED, text);
        return STATUS_OK;
    }
    status = build_all(options, result, kernel, err);
    if (!status && result->verdict == VERDICT_PASS) {
        status = run_devices(options, result, kernel, err);
    }
    if (!status && result->verdict == VERDICT_NEEDS_GPU) {
        result->complete = false;
    }
    if (!status && result->verdict == VERDICT_PASS) {
        (void)snprintf(result->headline, sizeof result->headline, "All %d cases pass.",
                       result->case_count);
    }
    return status;
}

enum status run_case_failed(const struct run_kernel *kernel, enum device_kind device,
                            const struct planned_case *planned, const struct run_outcome *outcome,
                            struct exercise_result *result, struct error *err) {
    const struct run_failure failure = {
        .failed = true, .device = device, .planned = *planned, .outcome = *outcome};
    // The list of a full plan has room: it holds two devices' cases.
    if (result->case_count < (int)(sizeof result->cases / sizeof *result->cases)) {
        result->cases[result->case_count++] = (struct case_result){.size = planned->size,
                                                                   .inputs = planned->inputs,
                                                                   .device = device,
                                                                   .verdict = outcome->verdict};
    }
    run_findings_add(result->findings, &result->finding_count, &outcome->findings, device,
                     planned->size);
    result->verdict = outcome->verdict;
    return run_explain(kernel, result, &failure, err);
}

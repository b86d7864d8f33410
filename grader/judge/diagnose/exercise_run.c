// Judges one exercise on every requested device: see exercise_run.h.
//
// The CPU device runs first, because it explains mistakes; a kernel that is wrong there does not
// run on a GPU.  The verdict is the first in precedence over all cases that were run.
#include "judge/diagnose/exercise_run.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "base/cpp_lexer.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/source/source_check.h"
#include "exercise/stub.h"
#include "judge/code/kernel_text.h"
#include "judge/diagnose/diagnose.h"
#include "judge/model/judgement.h"
#include "judge/run/cases.h"
#include "judge/run/findings_merge.h"
#include "judge/say/finding_text.h"

void run_kernel_done(struct run_kernel *kernel) {
    submitted_done(&kernel->source);
    free(kernel->prepared);
    free(kernel->stub);
    kernel->prepared = NULL;
    kernel->stub = NULL;
    run_worker_stop(&kernel->worker);
    for (int i = 0; i < DEVICE_KIND_COUNT; i++) {
        if (kernel->built[i]) {
            run_program_done(&kernel->program[i]);
            kernel->built[i] = false;
        }
    }
}

static void conclude(struct exercise_result *result, enum verdict verdict, const char *headline) {
    result->verdict = verdict;
    (void)snprintf(result->why.headline, sizeof result->why.headline, "%s", headline);
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
    case BUILD_FAULT_BAD_CONFIG:
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

// The lines below the sentence about a fault: the compiler's messages, else the line itself; for a
// wrong parameter list, the right one.
static char *fault_lines(const struct exercise_result *result, const struct submitted *source,
                         const struct build_report *report) {
    char lines[1024];
    char quote[SOURCE_LINE_MAX];
    char kernel[KERNEL_BYTES_MAX];
    if (report->fault != BUILD_FAULT_BAD_SIGNATURE && report->diagnostics &&
        report->diagnostics[0] != '\0') {
        return xstrdup(report->diagnostics);
    }
    exercise_kernel_name(result->exercise, kernel);
    submitted_line(source->text, source->bytes, (unsigned)report->line, quote, sizeof quote);
    lines[0] = '\0';
    bool is_text = !memchr(source->text, '\0', source->bytes);
    if (is_text && quote[0] != '\0') {
        (void)snprintf(lines, sizeof lines, "%3d | %s\n", report->line, quote);
    }
    if (report->fault == BUILD_FAULT_BAD_SIGNATURE || report->fault == BUILD_FAULT_BAD_CONFIG) {
        size_t used = strlen(lines);
        explain_signature(&result->exercise->signature, source->text, kernel, lines + used,
                          sizeof lines - used);
    }
    return xstrdup(lines);
}

// The line of the fault: the compiler's line, or the last line of code before it.
static int fault_line(const struct submitted *source, const struct build_report *report) {
    struct cpp_lexer lexer = cpp_open(source->text, source->bytes);
    struct cpp_token token;
    int line = report->line;
    bool directive = false;
    while (report->is_before_line && cpp_next(&lexer, &token) && token.line < report->line) {
        directive = (directive && !token.fresh) || cpp_is_directive(&token);
        line = directive ? line : token.line;
    }
    return line;
}

// The sentence about a fault.  Builds know nothing about exercises: their sentences about
// parameters assume a product.
static void fault_text(const struct exercise_result *result, const struct build_report *report,
                       char text[ERROR_TEXT_MAX]) {
    const struct signature *signature = &result->exercise->signature;
    char parameters[SIGNATURE_TEXT_BYTES];
    char kernel[KERNEL_BYTES_MAX];
    char sizes[SIZE_RANK_MAX * (PARAMETER_NAME_BYTES + 2)] = "";
    size_t used = 0;
    exercise_kernel_name(result->exercise, kernel);
    signature_parameters(signature, parameters);
    for (int i = 0; i < signature->size_count; i++) {
        used +=
            (size_t)snprintf(sizes + used, sizeof sizes - used, ", %s", signature->size_name[i]);
    }
    if (result->exercise->is_program && report->fault == BUILD_FAULT_NO_KERNEL) {
        words_write(text, ERROR_TEXT_MAX, _("the file has no function `void %s(%s)`"), kernel,
                    parameters);
    } else if (result->exercise->is_program && report->fault == BUILD_FAULT_BAD_SIGNATURE) {
        words_write(text, ERROR_TEXT_MAX,
                    _("declares %s differently from the exercise: it is `void %s(%s)`"), kernel,
                    kernel, parameters);
    } else if (!signature->is_matmul && report->fault == BUILD_FAULT_BAD_SIGNATURE) {
        words_write(text, ERROR_TEXT_MAX,
                    _("declares %s differently from the exercise: it is `__global__ void %s(%s)`"),
                    kernel, kernel, parameters);
    } else if (report->fault == BUILD_FAULT_BAD_CONFIG) {
        words_write(text, ERROR_TEXT_MAX,
                    _("LAUNCH_CONFIG gets other sizes than those of the exercise: it is "
                      "`LAUNCH_CONFIG(%s%s)`, with a name for each size and no types"),
                    kernel, sizes);
    } else if (!signature->is_matmul && report->fault == BUILD_FAULT_NO_CONFIG) {
        words_write(text, ERROR_TEXT_MAX,
                    _("the file has no LAUNCH_CONFIG(%s%s), which says how many blocks of how many "
                      "threads to launch"),
                    kernel, sizes);
    } else {
        (void)snprintf(text, ERROR_TEXT_MAX, "%s", report->text);
    }
}

// The verdict of a failed build; the first in precedence over the devices stays.
static void note_fault(struct exercise_result *result, const struct submitted *source,
                       const struct build_report *report) {
    enum verdict verdict = verdict_of_fault(report->fault);
    if (verdict >= result->verdict) {
        return;
    }
    char text[ERROR_TEXT_MAX];
    fault_text(result, report, text);
    result->verdict = verdict;
    if (report->line > 0) {
        words_write(result->why.headline, sizeof result->why.headline, "%.200s:%d: %s",
                    result->file, fault_line(source, report), text);
    } else {
        words_write(result->why.headline, sizeof result->why.headline, "%.200s: %s", result->file,
                    text);
    }
    free(result->why.diagnostics);
    result->why.diagnostics = fault_lines(result, source, report);
}

// A student whose file is gone or empty can restore it.
static void stub_offer(const struct judge_options *options, struct exercise_result *result) {
    if (!options->extras.speed) {
        words_write(result->why.detail, sizeof result->why.detail,
                    _("`make reset EX=%s` brings the stub back."), result->exercise->name);
    }
}

// Makes the copy for the compilers.
static void prepare(const struct judge_options *options, struct exercise_result *result,
                    struct run_kernel *kernel) {
    struct build_report report;
    kernel->prepared =
        source_prepare(kernel->source.text, kernel->source.bytes, &kernel->prepared_bytes, &report);
    if (report.fault == BUILD_FAULT_NO_KERNEL) {
        stub_offer(options, result);
    }
    if (report.fault != BUILD_FAULT_NONE) {
        note_fault(result, &kernel->source, &report);
    }
}

// Builds for every requested device.  A kernel that the CPU device cannot run is left to the GPU,
// if there is one.
static enum status build_all(const struct judge_options *options, struct exercise_result *result,
                             struct run_kernel *kernel, struct error *err) {
    for (int i = 0; i < DEVICE_KIND_COUNT; i++) {
        const bool is_program = result->exercise->is_program;
        if (is_program ? i != DEVICE_EMU : !options->uses[i]) {
            continue;
        }
        enum status status = run_build(&options->machine, (enum device_kind)i, result->exercise,
                                       (struct text){kernel->prepared, kernel->prepared_bytes},
                                       &kernel->program[i], err);
        if (status) {
            return status;
        }
        kernel->built[i] = true;
        kernel->program[i].patience = options->patience;
        kernel->program[i].text = kernel->prepared;
        kernel->program[i].stub = kernel->stub;
        const struct build_report *report = &kernel->program[i].report;
        if (report->fault == BUILD_FAULT_NEEDS_GPU && i == DEVICE_EMU &&
            options->uses[DEVICE_GPU] && !is_program) {
            run_program_done(&kernel->program[i]);
            kernel->built[i] = false;
            continue;
        }
        note_fault(result, &kernel->source, report);
    }
    return STATUS_OK;
}

// Runs the cases on every device that has a program.
static enum status run_devices(const struct judge_options *options, struct exercise_result *result,
                               struct run_kernel *kernel, struct error *err) {
    struct run_failure failure = {.failed = false};
    enum status status = STATUS_OK;
    for (int i = 0; i < DEVICE_KIND_COUNT && !status; i++) {
        // A kernel that is wrong on the CPU device is explained and cannot become right.  This
        // spares a GPU, which others may be using, a kernel that hangs or crashes its context.
        if (kernel->built[i] && !failure.failed) {
            run_worker_init(&kernel->worker, &kernel->program[i]);
            status = run_cases(options, &kernel->worker, result, &failure, err);
        }
        if (i != DEVICE_GPU || failure.failed) {
            run_worker_stop(&kernel->worker);
        }
    }
    if (!status && failure.failed) {
        result->verdict = failure.outcome.verdict;
    }
    if (options->verdict_only) {
        return status;
    }
    if (!status && failure.failed) {
        status = run_cases_shrink(options, &kernel->program[failure.device], result, &failure, err);
    }
    return status ? status : run_explain(kernel, result, &failure, err);
}

// Names the part of the kernel that is not written yet, for a verdict that may follow from that.
static void todos_mention(const struct run_kernel *kernel, struct exercise_result *result) {
    int number[TODOS_MAX];
    switch (result->verdict) {
    case VERDICT_NOT_WRITTEN:
    case VERDICT_WRONG_RESULT:
    case VERDICT_UNINITIALIZED:
    case VERDICT_RACE:
    case VERDICT_BARRIER_DIVERGENCE:
    case VERDICT_HOST:
        break;
    default:
        return;
    }
    int count = todo_open(kernel->stub, kernel->prepared, number);
    struct judged_finding *first = &result->findings.list[0];
    bool is_found =
        result->findings.count > 0 && finding_verdict(&first->finding) == result->verdict;
    char *detail = is_found ? first->message : result->why.detail;
    size_t bytes = is_found ? sizeof first->message : sizeof result->why.detail;
    if (count == 1) {
        words_sentence(detail, bytes, "Nothing is written at TODO %d yet.", number[0]);
    } else if (count > 3) {
        words_sentence(detail, bytes, "Nothing is written at the TODO lines yet.");
    } else if (count == 3) {
        words_sentence(detail, bytes, "Nothing is written at TODO %d, TODO %d and TODO %d yet.",
                       number[0], number[1], number[2]);
    } else if (count == 2) {
        words_sentence(detail, bytes, "Nothing is written at TODO %d and TODO %d yet.", number[0],
                       number[1]);
    }
}

enum status run_exercise(const struct judge_options *options, struct exercise_result *result,
                         struct run_kernel *kernel, struct error *err) {
    result->verdict = VERDICT_PASS;
    result->complete = true;
    enum status status = submitted_read(options->submission, result->file, &kernel->source, err);
    if (status) {
        return status;
    }
    (void)snprintf(result->sha256, sizeof result->sha256, "%s", kernel->source.sha256);
    if (kernel->source.verdict != VERDICT_PASS) {
        conclude(result, kernel->source.verdict, kernel->source.headline);
        if (kernel->source.absent) {
            stub_offer(options, result);
        }
        return STATUS_OK;
    }
    prepare(options, result, kernel);
    if (result->verdict != VERDICT_PASS) {
        return STATUS_OK;
    }
    status = stub_of(options->course, result->exercise, &kernel->stub, err);
    if (status) {
        return status;
    }
    if (token_streams_equal(kernel->prepared, kernel->prepared_bytes, kernel->stub,
                            strlen(kernel->stub))) {
        char text[ERROR_TEXT_MAX];
        words_write(text, sizeof text, _("%.200s is still the stub: fill in its TODO parts."),
                    result->file);
        conclude(result, VERDICT_NOT_STARTED, text);
        return STATUS_OK;
    }
    status = build_all(options, result, kernel, err);
    if (!status && result->verdict == VERDICT_PASS) {
        status = run_devices(options, result, kernel, err);
    }
    if (!status) {
        todos_mention(kernel, result);
    }
    if (!status && result->verdict == VERDICT_NEEDS_GPU) {
        result->complete = false;
    }
    if (!status && result->verdict == VERDICT_PASS) {
        assert(result->cases.count > 0);  // a kernel that did not run does not pass
        words_write(result->why.headline, sizeof result->why.headline, _("All %d cases pass."),
                    result->cases.count);
        if (result->exercise->is_program && options->uses[DEVICE_GPU]) {
            words_sentence(
                result->why.headline, sizeof result->why.headline, "%s",
                _("Programs are judged on the CPU device, even on a machine with a GPU."));
        }
    }
    return status;
}

enum status run_case_failed(const struct run_kernel *kernel, enum device_kind device,
                            const struct planned_case *planned, const struct run_outcome *outcome,
                            struct exercise_result *result, struct error *err) {
    struct run_failure failure = {
        .failed = true, .device = device, .planned = *planned, .outcome = *outcome};
    run_case_add(&result->cases, planned, device, outcome->verdict);
    run_findings_add(&result->findings, &outcome->findings, device, planned->size);
    result->verdict = outcome->verdict;
    return run_explain(kernel, result, &failure, err);
}

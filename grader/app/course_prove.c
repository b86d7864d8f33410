// A proof runs the judge exactly as a student's test does; only the folder with the kernel is made
// here.
#include "app/course_prove.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "exercise/stub.h"
#include "judge/run_build.h"
#include "sandbox/box.h"

#define GPU_BUILT_FOR "sm_80"  // where no GPU is here: the oldest one with TF32

// Makes the stub another token stream and changes nothing else, so that it is compiled and run.
#define STUB_CHANGE "\nstruct touched;\n"

// The bytes of the kernel file of a job.
static enum status kernel_text(const struct judge_options *judge, const struct job *job,
                               char **ret_text, size_t *ret_bytes, struct error *err) {
    if (job->kind != JOB_STUB && job->kind != JOB_STUB_RUN) {
        return file_read(job->path, SOURCE_BYTES_MAX, ret_text, ret_bytes, err);
    }
    char *stub = NULL;
    enum status status = stub_of(judge->course, job->exercise, &stub, err);
    if (status) {
        return status;
    }
    char *text = NULL;
    int length = asprintf(&text, "%s%s", stub, job->kind == JOB_STUB_RUN ? STUB_CHANGE : "");
    free(stub);
    if (length < 0) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    *ret_text = text;
    *ret_bytes = (size_t)length;
    return STATUS_OK;
}

static const char *speed_name(const struct exercise_result *result) {
    for (int i = 0; i < result->speed_count; i++) {
        if (result->speed[i].verdict == SPEED_SLOW) {
            return speed_verdict_name(SPEED_SLOW);
        }
    }
    return "not slow";
}

// The first finding that a right kernel must not have; NULL if there is none.
static const struct judged_finding *finding_first(const struct exercise_result *result) {
    for (int i = 0; i < result->finding_count; i++) {
        if (result->findings[i].finding.severity >= SEVERITY_WARNING) {
            return &result->findings[i];
        }
    }
    return NULL;
}

// What a stub may be when it runs: it ends, and C is not the product.
static bool stub_run_good(enum verdict verdict) {
    return verdict == VERDICT_NOT_WRITTEN || verdict == VERDICT_WRONG_RESULT ||
           verdict == VERDICT_UNINITIALIZED;
}

static void verdict_compare(const struct exercise_result *result, enum verdict expected,
                            struct outcome *outcome) {
    outcome->proven = result->verdict == expected;
    if (!outcome->proven) {
        (void)snprintf(outcome->text, sizeof outcome->text, "expected %s, got %s: %.300s",
                       verdict_name(expected), verdict_name(result->verdict), result->headline);
    }
}

// The kind of finding that is this verdict; FINDING_KIND_COUNT where none is.
static enum finding_kind kind_of(enum verdict verdict) {
    static const struct {
        enum verdict verdict;
        enum finding_kind kind;
    } pairs[] = {{VERDICT_TIME_LIMIT, FINDING_TIME_LIMIT},
                 {VERDICT_OUTPUT_LIMIT, FINDING_OUTPUT_LIMIT},
                 {VERDICT_CRASH, FINDING_CRASH},
                 {VERDICT_MISALIGNED, FINDING_MISALIGNED},
                 {VERDICT_OUT_OF_BOUNDS, FINDING_OUT_OF_BOUNDS},
                 {VERDICT_BARRIER_DIVERGENCE, FINDING_BARRIER_DIVERGENCE},
                 {VERDICT_RACE, FINDING_RACE},
                 {VERDICT_UNINITIALIZED, FINDING_UNINITIALIZED},
                 {VERDICT_INPUTS_CHANGED, FINDING_INPUT_WRITTEN}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (pairs[i].verdict == verdict) {
            return pairs[i].kind;
        }
    }
    return FINDING_KIND_COUNT;
}

static void lines_add(struct job_lines *lines, uint32_t line) {
    if (line == 0 || (lines->count == 1 && lines->line[0] == (int)line)) {
        return;
    }
    bool first = lines->count == 1 && (int)line < lines->line[0];
    lines->line[1] = first ? lines->line[0] : (int)line;
    lines->line[0] = first || lines->count == 0 ? (int)line : lines->line[0];
    lines->count++;
}

// Where the verdict was seen: the places of the first error of its kind; for a file that is not
// built, the line in "naive.cu:12: …".
static struct job_lines lines_seen(const struct exercise_result *result) {
    struct job_lines lines = {0};
    enum finding_kind kind = kind_of(result->verdict);
    for (int i = 0; i < result->finding_count; i++) {
        const struct finding *finding = &result->findings[i].finding;
        if (finding->kind == kind && finding->severity == SEVERITY_ERROR) {
            lines_add(&lines, finding->line);
            lines_add(&lines, finding->other_line);
            return lines;
        }
    }
    uint32_t line = 0;
    const char *mark = strstr(result->headline, ".cu:");
    if (kind == FINDING_KIND_COUNT && mark && sscanf(mark, ".cu:%" SCNu32 ":", &line) == 1) {
        lines_add(&lines, line);
    }
    return lines;
}

static void lines_text(const struct job_lines *lines, char *text, size_t bytes) {
    if (lines->count == 0) {
        (void)snprintf(text, bytes, "no line");
    } else if (lines->count == 1) {
        (void)snprintf(text, bytes, "line %d", lines->line[0]);
    } else {
        (void)snprintf(text, bytes, "lines %d %d", lines->line[0], lines->line[1]);
    }
}

// A wrong kernel that is caught elsewhere was caught for another reason.
static void lines_compare(const struct job *job, const struct exercise_result *result,
                          struct outcome *outcome) {
    struct job_lines seen = lines_seen(result);
    const struct job_lines *wanted = &job->lines;
    if (wanted->count == seen.count && (seen.count < 1 || wanted->line[0] == seen.line[0]) &&
        (seen.count < 2 || wanted->line[1] == seen.line[1])) {
        return;
    }
    char before[64];
    char after[64];
    lines_text(wanted, before, sizeof before);
    lines_text(&seen, after, sizeof after);
    outcome->proven = false;
    (void)snprintf(outcome->text, sizeof outcome->text, "expected %s at %s, got it at %s: %.300s",
                   verdict_name(job->expected), before, after, result->headline);
}

static void result_compare(const struct job *job, const struct exercise_result *result,
                           struct outcome *outcome) {
    const struct judged_finding *finding = NULL;
    switch (job->kind) {
    case JOB_STUB:
    case JOB_STUDENT:
        verdict_compare(result, VERDICT_NOT_STARTED, outcome);
        return;
    case JOB_STUB_RUN:
        outcome->proven = stub_run_good(result->verdict);
        if (!outcome->proven) {
            (void)snprintf(outcome->text, sizeof outcome->text,
                           "expected not_written, wrong_result or uninitialized, got %s: %.300s",
                           verdict_name(result->verdict), result->headline);
        }
        return;
    case JOB_WRONG:
        verdict_compare(result, job->expected, outcome);
        if (outcome->proven && job->expects_slow && strcmp(speed_name(result), "slow") != 0) {
            outcome->proven = false;
            (void)snprintf(outcome->text, sizeof outcome->text, "expected slow, got %s",
                           speed_name(result));
        }
        if (outcome->proven) {
            lines_compare(job, result, outcome);
        }
        return;
    case JOB_REFERENCE:
    case JOB_RIGHT:
        verdict_compare(result, VERDICT_PASS, outcome);
        finding = finding_first(result);
        if (outcome->proven && result->blind) {
            outcome->proven = false;
            (void)snprintf(outcome->text, sizeof outcome->text,
                           "C is right, but the CPU device did not see all of A and B read");
        }
        if (outcome->proven && finding) {
            outcome->proven = false;
            (void)snprintf(outcome->text, sizeof outcome->text,
                           "expected no finding, got %s: %.300s",
                           finding_kind_name(finding->finding.kind), finding->message);
        }
        return;
    }
}

// True where the judge says that this machine cannot run the kernel, though it has to be run.
static bool is_for_gpu(const struct job *job, const struct exercise_result *result) {
    return result->verdict == VERDICT_NEEDS_GPU && job->expected != VERDICT_NEEDS_GPU &&
           job->exercise->precision != PRECISION_FP32;
}

// What the compiler for the GPU may find wrong with a kernel of this job.
static bool fault_good(const struct job *job, enum build_fault fault) {
    bool built = fault == BUILD_FAULT_NONE;
    if (job->kind != JOB_WRONG) {
        return built;
    }
    switch (job->expected) {
    case VERDICT_BUILD_ERROR:
        return fault == BUILD_FAULT_ERROR;
    case VERDICT_NOT_ALLOWED:
        return fault == BUILD_FAULT_NOT_ALLOWED;
    case VERDICT_NO_KERNEL:
        return fault == BUILD_FAULT_NO_KERNEL || fault == BUILD_FAULT_NO_CONFIG;
    case VERDICT_BAD_SIGNATURE:
        return fault == BUILD_FAULT_BAD_SIGNATURE;
    default:
        return built;
    }
}

// Without a GPU a kernel that needs one is built at least, where the compiler is here.
static enum status built_compare(const struct judge_options *judge, const struct job *job,
                                 const char *text, size_t bytes, struct outcome *outcome,
                                 struct error *err) {
    struct judge_options options = *judge;
    struct run_program program;
    (void)snprintf(outcome->text, sizeof outcome->text, "needs a GPU, and NVRTC is not here");
    outcome->proven = outcome->skipped = true;
    if (!judge->has_nvrtc) {
        return STATUS_OK;
    }
    (void)snprintf(options.architecture, sizeof options.architecture, "%s", GPU_BUILT_FOR);
    enum status status =
        run_build(&options, DEVICE_GPU, job->exercise->name, text, bytes, &program, err);
    if (status) {
        return status;
    }
    outcome->proven = fault_good(job, program.report.fault);
    // A file that the compiler refuses, as it should, would not be run there either.
    outcome->skipped = outcome->proven && program.report.fault == BUILD_FAULT_NONE;
    (void)snprintf(outcome->text, sizeof outcome->text, "needs a GPU; %s for %s: %.300s",
                   program.report.fault == BUILD_FAULT_NONE ? "it was built" : "not built",
                   GPU_BUILT_FOR,
                   program.report.text[0] != '\0' ? program.report.text : "nothing to say");
    run_program_done(&program);
    return STATUS_OK;
}

static enum status job_judge(const struct judge_options *judge, const struct job *job,
                             const char *folder, struct outcome *outcome, struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    struct judgement *judgement = NULL;
    enum status status = kernel_text(judge, job, &text, &bytes, err);
    if (!status) {
        status = path_make(path, err, "%s/%s.cu", folder, job->exercise->name);
    }
    if (!status) {
        status = file_write(path, text, bytes, err);
    }
    if (!status) {
        struct judge_options options = *judge;
        options.submission = folder;
        options.only = job->exercise->name;
        options.measure_speed = job->expects_slow;
        options.use_gpu = judge->use_gpu && job->exercise->precision != PRECISION_FP32;
        status = judge_submission(&options, &judgement, err);
    }
    if (!status && is_for_gpu(job, &judgement->exercises[0])) {
        status = built_compare(judge, job, text, bytes, outcome, err);
    } else if (!status) {
        result_compare(job, &judgement->exercises[0], outcome);
    }
    judgement_free(judgement);
    free(text);
    return status;
}

void course_prove(const struct judge_options *judge, const struct job *job,
                  struct outcome *ret_outcome) {
    struct outcome outcome = {.proven = false};
    struct error err = {""};
    char folder[PATH_BYTES_MAX];
    enum status status = box_scratch_make(NULL, folder, &err);
    if (!status) {
        status = job_judge(judge, job, folder, &outcome, &err);
        (void)folder_remove(folder, NULL);
    }
    if (status) {
        // a file of the course that is missing or wrong is a proof that failed; the rest is our
        // trouble
        outcome.trouble =
            status_exit_code(status) == status_exit_code(STATUS_BAD_DATA) ? STATUS_OK : status;
        outcome.proven = false;
        (void)snprintf(outcome.text, sizeof outcome.text, "%.500s", err.text);
    }
    *ret_outcome = outcome;
}

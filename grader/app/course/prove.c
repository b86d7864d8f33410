// A job runs the judge exactly as a student's test does; only the folder with the kernel is made
// here.
#include "app/course/prove.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "exercise/stub.h"
#include "judge/build/program.h"
#include "judge/judge.h"
#include "sandbox/box.h"

#define GPU_BUILT_FOR "sm_80"  // without a GPU: the oldest architecture with TF32

// An unchanged stub is not compiled or run.  This adds tokens to it, but no behaviour.
#define STUB_CHANGE "\nstruct touched;\n"

// The bytes of the kernel file of a job.
static enum status kernel_text(const struct judge_options *judge, const struct job *job,
                               char **ret_text, size_t *ret_bytes, struct error *err) {
    if (job->kind == JOB_STUDENT && access(job->path, F_OK) != 0 && errno == ENOENT) {
        return fail(err, STATUS_BAD_DATA, "%s: not found; `make stubs EX=%s` writes it", job->path,
                    job->exercise->name);
    }
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

// True if the kernel must run for its proof but needs a GPU, as its exercise says.
static bool is_for_gpu(const struct job *job, const struct exercise_result *result) {
    return result->verdict == VERDICT_NEEDS_GPU && job->expected != VERDICT_NEEDS_GPU &&
           job->exercise->needs_gpu;
}

// True if this is what the compiler for the GPU should say of a kernel of this job.
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

// Without a GPU, a kernel that needs one is at least built, if NVRTC is installed.
static enum status built_compare(const struct judge_options *judge, const struct job *job,
                                 const char *text, size_t bytes, struct outcome *outcome,
                                 struct error *err) {
    struct judge_machine machine = judge->machine;
    struct run_program program;
    (void)snprintf(outcome->text, sizeof outcome->text,
                   _("needs a GPU, and NVRTC is not installed here"));
    outcome->proven = outcome->skipped = true;
    if (!machine.has_nvrtc) {
        return STATUS_OK;
    }
    (void)snprintf(machine.gpu.architecture, sizeof machine.gpu.architecture, "%s", GPU_BUILT_FOR);
    enum status status =
        run_build(&machine, DEVICE_GPU, job->exercise, (struct text){text, bytes}, &program, err);
    if (status) {
        return status;
    }
    outcome->proven = fault_good(job, program.report.fault);
    // A file that the compiler rightly refuses would not be run on a GPU either.
    outcome->skipped = outcome->proven && program.report.fault == BUILD_FAULT_NONE;
    if (program.report.text[0] == '\0') {
        (void)snprintf(outcome->text, sizeof outcome->text,
                       _("needs a GPU; it builds for %s without a message"), GPU_BUILT_FOR);
    } else {
        (void)snprintf(outcome->text, sizeof outcome->text,
                       program.report.fault == BUILD_FAULT_NONE
                           ? _("needs a GPU; it builds for %s: %.300s")
                           : _("needs a GPU; it does not build for %s: %.300s"),
                       GPU_BUILT_FOR, program.report.text);
    }
    run_program_done(&program);
    return STATUS_OK;
}

static enum status job_judge(const struct judge_options *judge, const struct job *job,
                             const char *folder, int folder_fd, struct outcome *outcome,
                             struct error *err) {
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
        options.submission = folder_fd;
        options.only = job->exercise->name;
        options.extras.speed = job->expects_slow || job->is_open;
        options.uses[DEVICE_GPU] = judge->uses[DEVICE_GPU] && job->exercise->needs_gpu;
        status = judge_submission(&options, &judgement, err);
        outcome->bad_data = status == STATUS_BAD_DATA;
    }
    if (!status && is_for_gpu(job, &judgement->exercises[0])) {
        status = built_compare(judge, job, text, bytes, outcome, err);
    } else if (!status) {
        course_compare(job, &judgement->exercises[0], outcome);
    }
    judgement_free(judgement);
    free(text);
    return status;
}

void course_prove(const struct judge_options *judge, const struct job *job,
                  struct outcome *ret_outcome) {
    struct outcome outcome = {.proven = false};
    struct error err = {.text = ""};
    char folder[PATH_BYTES_MAX];
    enum status status = box_scratch_make(NULL, folder, &err);
    if (!status) {
        int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
        status = fd < 0 ? fail_errno(&err, STATUS_SYSTEM, "%s", folder)
                        : job_judge(judge, job, folder, fd, &outcome, &err);
        (void)close(fd);
        (void)folder_remove(folder, NULL);
    }
    if (status) {
        // a missing or wrong file of the course is a failed check; anything else is our own failure
        outcome.trouble =
            status_exit_code(status) == status_exit_code(STATUS_BAD_DATA) ? STATUS_OK : status;
        outcome.proven = false;
        (void)snprintf(outcome.text, sizeof outcome.text, "%.*s", text_cut(err.text, 500),
                       err.text);
    }
    *ret_outcome = outcome;
}

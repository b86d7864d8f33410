// What `test`, `grade` and `check-course` have in common around a call of the judge.
#include "app/commands/judging.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/compiler.h"
#include "app/gpu_find.h"
#include "app/package.h"
#include "app/progress.h"
#include "app/terminal/terminal.h"
#include "base/file.h"
#include "base/texts.h"
#include "judge/result/result.h"

#define JOBS_DEFAULT_MAX 4            // a machine is rarely one student's alone
#define OPEN_FILES_MIN   256          // as a GPU worker is given; the usual limit is 1024
#define RESULT_ROOM      (256 << 10)  // more than a result.json has

static void device_say(FILE *notice, const char *before, const char *what, const char *after) {
    char text[ERROR_TEXT_MAX];
    if (notice) {
        struct terminal terminal = terminal_of(notice, "", "");
        (void)snprintf(text, sizeof text, _("device: %s%s%s"), before, what, after);
        terminal_wrap(&terminal, 2, text);
    }
}

static enum status devices_choose(const struct app *app, FILE *notice, struct judge_options *judge,
                                  struct error *err) {
    enum device_choice choice = app->options->device;
    judge->use_emu = true;  // it explains, so it always runs
    if (choice == CHOICE_EMU) {
        device_say(notice, _("the CPU alone, as asked"), "", "");
        return STATUS_OK;
    }
    struct gpu_info *info = calloc(1, sizeof *info);
    if (!info) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    enum status status = gpu_find(&app->places->device, judge->sandbox, info, err);
    const char *missing = status ? NULL : gpu_missing(info);
    if (!status && missing && choice == CHOICE_GPU) {
        status =
            fail(err, STATUS_UNAVAILABLE,
                 "no GPU to use: %s (DEVICE=emu, or --device emu, works without one)", missing);
    }
    if (!status && !missing) {
        judge->use_gpu = true;
        judge->gpu = info->gpus[0].index;
        (void)snprintf(judge->architecture, sizeof judge->architecture, "%s",
                       info->gpus[0].architecture);
        (void)snprintf(judge->gpu_name, sizeof judge->gpu_name, "%s", info->gpus[0].name);
        judge->gpu_multiprocessors = info->gpus[0].multiprocessors;
        judge->gpu_clock_khz = info->gpus[0].clock_khz;
        judge->gpu_reaches_memory = info->gpus[0].pageable_memory_access;
        (void)snprintf(judge->gpu_uuid, sizeof judge->gpu_uuid, "%s", info->gpus[0].uuid);
    }
    if (!status && missing) {
        device_say(notice, _("the CPU alone ("), missing, _(")"));
    } else if (!status) {
        device_say(notice, _("the CPU, which explains, and "), info->gpus[0].name, "");
    }
    judge->has_nvrtc = !status && info->nvrtc_major > 0;
    free(info);
    return status;
}

// Results are the same for any number, so the machine may decide.
static uint32_t jobs_of(const struct options *options) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (options->jobs > 0) {
        return (uint32_t)options->jobs;
    }
    return cores < 1 ? 1 : cores < JOBS_DEFAULT_MAX ? (uint32_t)cores : JOBS_DEFAULT_MAX;
}

// A shell may allow fewer files than a sandbox needs; what may be raised is raised.
static enum status open_files_check(struct error *err) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= OPEN_FILES_MIN) {
        return STATUS_OK;
    }
    limit.rlim_cur = limit.rlim_max < OPEN_FILES_MIN ? limit.rlim_max : OPEN_FILES_MIN;
    if (limit.rlim_cur < OPEN_FILES_MIN || setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return fail(err, STATUS_UNAVAILABLE,
                    "only %d files may be open at a time here, and the grader needs %d: start a "
                    "new shell, or run `ulimit -n 1024` as one who may",
                    (int)limit.rlim_cur, OPEN_FILES_MIN);
    }
    return STATUS_OK;
}

// One judgement is made at a time.
static struct progress progress;

static void judging_progress(void *context, const struct exercise *exercise, enum judge_stage stage,
                             int done, int total) {
    progress_step(context, exercise, stage, done, total);
}

void judging_progress_begin(const struct app *app, struct judge_options *judge) {
    bool quiet = app->options->verbosity == VERBOSITY_QUIET;
    progress_begin(&progress, quiet ? NULL : stderr,
                   judge->only ? 1 : judge->course->exercise_count, judge->measure_speed);
    judge->progress = judging_progress;
    judge->progress_context = &progress;
}

static void judging_waiting(void *context, const char *text) {
    (void)context;
    progress_clear(&progress);
    (void)fprintf(stderr, "%s\n", text);
}

enum status judging_prepare(const struct app *app, const char *submission, FILE *notice,
                            char ret_folder[PATH_BYTES_MAX], struct judge_options *ret_options,
                            struct error *err) {
    struct judge_options judge;
    memset(&judge, 0, sizeof judge);
    judge.course = app->course;
    judge.paths = app->places->device;
    judge.submission = ret_folder;
    judge.jobs = jobs_of(app->options);
    judge.waiting = judging_waiting;
    if (app->options->card && card_find(app->options->card, &judge.card, err)) {
        return STATUS_BAD_USAGE;
    }
    if (access(submission, F_OK) != 0) {
        return fail_errno(err, status_of_errno(STATUS_BAD_USAGE), "%s", submission);
    }
    enum status status = STATUS_OK;
    if (compiler_is_chosen()) {
        char line[COMPILER_LINE_BYTES];
        status = compiler_ask(judge.paths.compiler, line, err);
    }
    if (!status) {
        status = open_files_check(err);
    }
    judge.paths.compiler_version = compiler_version(judge.paths.compiler);
    const char *const needed[] = {judge.paths.include, judge.paths.shim, judge.paths.programs,
                                  judge.paths.compiler, NULL};
    struct sandbox *sandbox = NULL;
    if (!status) {
        status = sandbox_open(app->options->sandbox, needed, &sandbox, err);
    }
    judge.sandbox = sandbox;
    if (!status) {
        status = package_open(app->places, sandbox, submission, ret_folder, err);
    }
    if (!status) {
        status = devices_choose(app, notice, &judge, err);
    }
    if (status) {
        sandbox_close(sandbox);
        return status;
    }
    *ret_options = judge;
    return STATUS_OK;
}

void judging_done(struct judge_options *options) {
    sandbox_close((struct sandbox *)(uintptr_t)options->sandbox);
    options->sandbox = NULL;
}

void judging_progress_end(void) {
    progress_clear(&progress);
}

enum status judging_out_make(const char *out, bool asked, struct error *err) {
    struct stat info;
    char probe[PATH_BYTES_MAX];
    char *room = NULL;
    struct error why = {""};
    if (stat(out, &info) == 0 && !S_ISDIR(info.st_mode)) {
        return fail(err, STATUS_SYSTEM, "%s: is a file; results need a folder", out);
    }
    enum status status = folder_make(out, err);
    if (status) {
        return status;
    }
    status = path_make(probe, err, "%s/.probe", out);
    if (!status) {
        room = calloc(1, RESULT_ROOM);
        status = room ? file_write(probe, room, RESULT_ROOM, &why)
                      : fail(&why, STATUS_NO_MEMORY, "no memory");
        if (status) {
            const char *reason = strrchr(why.text, ':');
            status = fail(err, status, "%s: no result can be written there%s%s", out,
                          reason ? reason : "",
                          asked ? "" : _("; OUT=folder (or --out folder) takes another"));
        }
        free(room);
        (void)unlink(probe);
    }
    return status;
}

enum status judging_result_write(const struct judgement *judgement, const char *out,
                                 struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    enum status status = path_make(path, err, "%s/result.json", out);
    if (!status) {
        status = result_write_json(judgement, TILEGRADE_VERSION, &text, err);
    }
    if (!status) {
        status = file_write(path, text, strlen(text), err);
    }
    free(text);
    return status;
}

bool judging_nothing_graded(const struct judgement *judgement) {
    for (int i = 0; i < judgement->exercise_count; i++) {
        if (judgement->exercises[i].complete) {
            return false;
        }
    }
    return judgement->exercise_count > 0;
}

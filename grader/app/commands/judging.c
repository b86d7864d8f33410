// What `test`, `grade` and `check-course` share around a call of the judge.
#include "app/commands/judging.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/compiler.h"
#include "app/gpu_find.h"
#include "app/terminal/terminal.h"
#include "base/file.h"
#include "base/translate.h"
#include "judge/judge.h"
#include "judge/result/result.h"
#include "judge/source/package.h"

#define JOBS_DEFAULT_MAX 4            // a machine is rarely used by one student only
#define OPEN_FILES_MIN   256          // what a GPU worker gets; the usual limit is 1024
#define RESULT_ROOM      (256 << 10)  // more than a result.json has

static void device_say(FILE *notice, const char *text) {
    if (notice) {
        struct terminal terminal = terminal_of(notice, "", "");
        terminal_wrap(&terminal, 2, text);
    }
}

static enum status devices_choose(const struct app *app, FILE *notice, struct judging *judging,
                                  struct error *err) {
    struct judge_options *judge = &judging->options;
    char text[ERROR_TEXT_MAX];
    enum device_choice choice = app->options->device;
    judge->uses[DEVICE_EMU] = true;  // the CPU explains mistakes, so it always runs
    if (choice == CHOICE_EMU) {
        device_say(notice, _("device: CPU only, as requested"));
        return STATUS_OK;
    }
    struct gpu_info *info = calloc(1, sizeof *info);
    if (!info) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    enum status status = gpu_find(&app->places->device, judge->machine.sandbox, info, err);
    const char *missing = status ? NULL : gpu_missing(info);
    if (!status && missing && choice == CHOICE_GPU) {
        status =
            fail(err, STATUS_UNAVAILABLE,
                 "no usable GPU: %s (DEVICE=emu, or --device emu, works without one)", missing);
    }
    if (!status && !missing) {
        judge->uses[DEVICE_GPU] = true;
        judge->machine.gpu = info->gpus[0];
        gpu_lease_init(&judging->lease, info, &judge->listener);
        judge->machine.lease = &judging->lease;
    }
    if (!status && missing) {
        (void)snprintf(text, sizeof text, _("device: CPU only (%s)"), missing);
        device_say(notice, text);
    } else if (!status) {
        (void)snprintf(text, sizeof text, _("device: %s; the CPU explains mistakes"),
                       info->gpus[0].name);
        device_say(notice, text);
    }
    judge->machine.has_nvrtc = !status && info->nvrtc_major > 0;
    free(info);
    return status;
}

// The number of processes never changes a result, so the machine may decide it.
static uint32_t jobs_of(const struct options *options) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (options->jobs > 0) {
        return (uint32_t)options->jobs;
    }
    return cores < 1 ? 1 : cores < JOBS_DEFAULT_MAX ? (uint32_t)cores : JOBS_DEFAULT_MAX;
}

// A shell may allow fewer files than a sandbox needs; the limit is raised as far as allowed.
static enum status open_files_check(struct error *err) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= OPEN_FILES_MIN) {
        return STATUS_OK;
    }
    limit.rlim_cur = limit.rlim_max < OPEN_FILES_MIN ? limit.rlim_max : OPEN_FILES_MIN;
    if (limit.rlim_cur < OPEN_FILES_MIN || setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return fail(err, STATUS_UNAVAILABLE,
                    "only %d files may be open here, and the grader needs %d: start a new shell, "
                    "or raise the limit with `ulimit -n 1024`",
                    (int)limit.rlim_cur, OPEN_FILES_MIN);
    }
    return STATUS_OK;
}

static void run_progress(void *context, const struct exercise *exercise, enum judge_stage stage,
                         int done, int total) {
    progress_step(context, exercise, stage, done, total);
}

static void run_waiting(void *context, const char *text) {
    progress_clear(context);
    (void)fprintf(stderr, "%s\n", text);
}

// Whether this machine can run the judge at all.
static enum status machine_check(const struct device_paths *paths, struct error *err) {
    char line[COMPILER_LINE_BYTES];
    enum status status =
        compiler_is_chosen() ? compiler_ask(paths->compiler, line, err) : STATUS_OK;
    return status ? status : open_files_check(err);
}

enum status judging_open(const struct app *app, const char *submission, FILE *notice,
                         struct judging *judging, struct error *err) {
    const char *name = submission ? submission : app->options->submission;
    struct judge_options *judge = &judging->options;
    struct device_paths *paths = &judge->machine.paths;
    enum status status = name ? path_make(judging->submission, err, "%s", name)
                              : place_make(app->places, judging->submission, err, "student");
    if (status) {
        return status;
    }
    *judge =
        (struct judge_options){.course = app->course,
                               .submission = -1,
                               .machine = {.paths = app->places->device,
                                           .jobs = jobs_of(app->options),
                                           .expected = &judging->expected},
                               .listener = {.context = &judging->progress, .waiting = run_waiting}};
    if (app->options->card && card_find(app->options->card, &judge->extras.card, err)) {
        return STATUS_BAD_USAGE;
    }
    status = machine_check(paths, err);
    if (status) {
        return status;
    }
    paths->compiler_version = compiler_version(paths->compiler);
    const char *const needed[] = {paths->include, paths->shim, paths->programs, paths->compiler,
                                  NULL};
    status = place_make(app->places, judging->counts, err, "build/counts");
    if (status) {
        return status;
    }
    status = sandbox_open(app->options->sandbox, needed, &judging->sandbox, err);
    if (status) {
        return status;
    }
    judge->machine.sandbox = judging->sandbox;
    // A kernel that no layer holds could write there.
    judge->machine.counts = app->options->sandbox == POLICY_UNSAFE ? NULL : judging->counts;
    status = package_open(paths->programs, judging->sandbox, judging->submission,
                          &judge->submission, err);
    return status ? status : devices_choose(app, notice, judging, err);
}

void judging_close(struct judging *judging) {
    if (judging->options.submission >= 0) {
        (void)close(judging->options.submission);
        judging->options.submission = -1;
    }
    gpu_lease_give(judging->options.machine.lease);
    expected_store_done(&judging->expected);
    sandbox_close(judging->sandbox);
    judging->sandbox = NULL;
}

enum status judging_run(const struct app *app, struct judging *judging,
                        struct judgement **ret_judgement, struct error *err) {
    struct judge_options *judge = &judging->options;
    bool quiet = app->options->verbosity == VERBOSITY_QUIET;
    progress_begin(&judging->progress, quiet ? NULL : stderr,
                   judge->only ? 1 : judge->course->exercise_count, judge->extras.speed);
    judge->listener.progress = run_progress;
    enum status status = judge_submission(judge, ret_judgement, err);
    progress_clear(&judging->progress);
    return status;
}

// Writes as much as a result may need, and removes it again.
static enum status room_check(const char *out, bool asked, struct error *err) {
    char probe[PATH_BYTES_MAX];
    struct error why = {.text = ""};
    enum status status = path_make(probe, err, "%s/.probe", out);
    if (status) {
        return status;
    }
    char *room = calloc(1, RESULT_ROOM);
    status = room ? file_write(probe, room, RESULT_ROOM, &why)
                  : fail(&why, STATUS_NO_MEMORY, "no memory");
    if (status) {
        const char *reason = strrchr(why.text, ':');
        reason = reason ? reason + strspn(reason, ": ") : why.text;
        status = asked ? fail(err, status, "%s: cannot write a result there: %s", out, reason)
                       : fail(err, status,
                              "%s: cannot write a result there: %s; OUT=folder (or --out folder) "
                              "chooses another folder",
                              out, reason);
    }
    free(room);
    (void)unlink(probe);
    return status;
}

enum status judging_out_make(const struct app *app, const char *otherwise,
                             char ret_out[PATH_BYTES_MAX], struct error *err) {
    const char *asked = app->options->out;
    struct stat info;
    enum status status = asked ? path_make(ret_out, err, "%s", asked)
                               : place_make(app->places, ret_out, err, "%s", otherwise);
    if (!status && stat(ret_out, &info) == 0 && !S_ISDIR(info.st_mode)) {
        status = fail(err, STATUS_SYSTEM, "%s: not a folder; results need one", ret_out);
    }
    if (!status) {
        status = folder_make(ret_out, err);
    }
    return status ? status : room_check(ret_out, asked, err);
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

bool judging_all_pass(const struct judgement *judgement) {
    for (int i = 0; i < judgement->exercise_count; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        bool excused = !result->complete && result->exercise->needs_gpu;
        if (result->verdict != VERDICT_PASS && !excused) {
            return false;
        }
    }
    return judgement->exercise_count > 0;
}

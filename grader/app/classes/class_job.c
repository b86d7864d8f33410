// `tilegrade class-job`: judges one submission of a class, as the pool or a scheduler asks.
// `tilegrade class-collect`: enters all results, when a scheduler has run all jobs.
//
// It is started again and again for the same job if machines fail, so it first looks whether the
// job is done, and it writes its result whole or not at all.  It knows no student, only a
// pseudonym.
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "app/classes/classes.h"
#include "app/commands/judging.h"
#include "base/basics.h"
#include "base/file.h"
#include "class/folder.h"
#include "class/run/book.h"
#include "judge/judge.h"
#include "judge/result/result.h"
#include "judge/speed/cublas.h"

static int64_t cpu_ms_of(int who) {
    struct rusage usage;
    if (getrusage(who, &usage) != 0) {
        return 0;
    }
    return (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
           (int64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

// A result must not be taken for that of a job if anything differs from what was planned.
static enum status job_check(const struct app *app, const struct class_job *job,
                             const struct device_paths *paths, const char *submission,
                             struct error *err) {
    struct class_plan now = {.job_count = 0};
    struct class_job found = *job;
    class_choice_of(app, &now.choice);
    enum status status = class_submission_hash(submission, found.submission, err);
    if (!status) {
        status = class_hashes_of(app->course, paths, &now.hashes, err);
    }
    if (status) {
        return status;
    }
    class_plan_key(&now, &found);
    if (strcmp(found.submission, job->submission) != 0) {
        return fail(err, STATUS_UNAVAILABLE,
                    "the submission has changed since the class run began; run the class again");
    }
    return strcmp(found.key, job->key) == 0
               ? STATUS_OK
               : fail(err, STATUS_UNAVAILABLE,
                      "the course, the grader, the compiler or the options differ from those that "
                      "the class run began with; run the class again");
}

static enum status job_judge(const struct app *app, const struct class_job *job,
                             const char *submission, struct judgement **ret_judgement,
                             struct error *err) {
    static struct cublas_table cublas;
    struct judging judging = JUDGING_CLOSED;
    struct judgement *judgement = NULL;
    const struct device_paths *paths = &judging.options.machine.paths;
    enum status status = judging_open(app, submission, NULL, &judging, err);
    if (!status) {
        status = job_check(app, job, paths, submission, err);
    }
    if (!status) {
        status = seed_parse(job->seed, &judging.options.seed, err);
    }
    if (!status) {
        judging.options.listener.waiting = NULL;  // many jobs wait for a GPU all the time
        judging.options.extras.speed = true;
        judging.options.extras.maps = true;
        judging.options.extras.cublas = &cublas;
        judging.options.extras.no_references = !app->course->has_references;
        status = judging_run(app, &judging, &judgement, err);
    }
    if (!status) {
        status = job_check(app, job, paths, submission, err);
    }
    judging_close(&judging);
    if (status) {
        judgement_free(judgement);
        return status;
    }
    *ret_judgement = judgement;
    return STATUS_OK;
}

static enum status job_run(const struct app *app, const char *out, const struct class_job *job,
                           int extension_days_max, struct error *err) {
    char submission[PATH_BYTES_MAX];
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    struct judgement *judgement = NULL;
    int64_t began_ns = clock_ns();
    enum status status = class_job_path(out, job->pseudonym, "submission", submission, err);
    if (!status) {
        status = class_job_path(out, job->pseudonym, "result.json", path, err);
    }
    if (!status) {
        status = job_judge(app, job, submission, &judgement, err);
    }
    if (status) {
        return status;
    }
    judgement->origin = (struct judgement_origin){.assignment = app->assignment,
                                                  .extension_days_max = extension_days_max,
                                                  .job = job->key,
                                                  .graded_at = moment_now(),
                                                  .milliseconds = (clock_ns() - began_ns) / 1000000,
                                                  .cpu_milliseconds = cpu_ms_of(RUSAGE_SELF) +
                                                                      cpu_ms_of(RUSAGE_CHILDREN)};
    status = result_write_json(judgement, TILEGRADE_VERSION, &text, err);
    if (!status) {
        status = class_file_write(path, text, strlen(text), err);
    }
    if (!status) {
        (void)class_outcome_remove(out, job->pseudonym, false, NULL);  // the trouble of a first try
    }
    free(text);
    judgement_free(judgement);
    return status;
}

enum status cmd_class_job(const struct app *app, enum exit_code *ret_code, struct error *err) {
    struct class_plan plan = {.job_count = 0};
    struct class_outcome outcome = {.done = false};
    const char *out = app->options->out;
    const struct class_job *job = NULL;
    if (!out || !app->options->job) {
        return fail(err, STATUS_BAD_USAGE, "class-job is given --out and --job by `class`");
    }
    enum status status = class_plan_read(out, &plan, err);
    if (!status && !(job = class_plan_find(&plan, app->options->job))) {
        status =
            fail(err, STATUS_BAD_USAGE, "%s: its plan has no job %.40s", out, app->options->job);
    }
    if (!status) {
        status = class_outcome_read(out, job, &outcome, err);
    }
    if (!status && !outcome.done) {
        status = job_run(app, out, job, plan.extension_days_max, err);
        if (status) {
            (void)class_trouble_write(out, job->pseudonym, err->text, NULL);
        }
    }
    class_plan_done(&plan);
    *ret_code = EXIT_ALL_WELL;
    return status;
}

enum status cmd_class_collect(const struct app *app, enum exit_code *ret_code, struct error *err) {
    char out[PATH_BYTES_MAX];
    struct class_plan plan = {.job_count = 0};
    struct class_outcome *outcomes = NULL;
    struct class_counts counts;
    int lock_fd = -1;
    enum status status = class_path_find(app->options->out, out, err);
    *ret_code = EXIT_ALL_WELL;
    if (status || class_folder_user(out) != 0) {  // the run that waits for the jobs does it
        return status;
    }
    status = class_folder_lock(out, &lock_fd, err);
    if (!status) {
        status = class_state_read(out, &plan, &outcomes, err);
    }
    if (!status) {
        status = class_book_end(out, &plan, outcomes, NULL, &counts, err);
    }
    class_plan_done(&plan);
    free(outcomes);
    fd_close(&lock_fd);
    return status;
}

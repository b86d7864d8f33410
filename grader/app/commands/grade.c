// `tilegrade grade`: correctness with secret inputs, then speed; result.json for all reports.
#include <stdio.h>
#include <stdio_ext.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/commands/command.h"
#include "app/commands/job.h"
#include "app/commands/judging.h"
#include "app/commands/handed_in.h"
#include "app/standing.h"
#include "app/terminal/next.h"
#include "app/terminal/terminal.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/translate.h"
#include "judge/judge.h"
#include "judge/speed/cublas.h"

#define PRIVATE_MASK 0077

// Every kernel is right as far as it could be judged here, none is slow, and the same of answers.
static bool all_well(const struct judgement *judgement) {
    const struct answers_result *answers = &judgement->answers;
    if (answers->points + answers->points_open < answers->points_max || answers->fault_count > 0) {
        return false;
    }
    for (int i = 0; i < judgement->exercise_count; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        for (int s = 0; s < result->speed.count; s++) {
            if (result->speed.list[s].verdict == SPEED_SLOW) {
                return false;
            }
        }
    }
    return judging_all_pass(judgement);
}

// The result is complete and stays, even if the text about it cannot be written.
static void output_end(const char *out) {
    if (fflush(stdout) != 0) {
        (void)fprintf(stderr, _("tilegrade: cannot write the output; %s/result.json is complete\n"),
                      out);
        __fpurge(stdout);
        clearerr(stdout);
    }
}

// Gets ready to judge with secret inputs; `out` is where the result goes.
static enum status grade_prepare(const struct app *app, struct judging *judging, struct job *job,
                                 char out[PATH_BYTES_MAX], struct error *err) {
    const struct options *options = app->options;
    struct seed seed = options->seed;
    bool quiet = options->verbosity == VERBOSITY_QUIET;
    enum status status = judging_open(app, NULL, quiet ? NULL : stdout, judging, err);
    if (!status && !options->allow_empty) {
        status =
            handed_in_check(judging->options.submission, judging->submission, app->course, err);
    }
    if (!status) {
        status = judging_out_make(app, "build/grade", out, err);
    }
    if (!status && options->planned) {
        status = job_read(job, err);
        seed = job->seed;
        judging->options.listener.waiting = NULL;  // many jobs wait for a GPU all the time
    } else if (!status && !options->has_seed) {
        status = seed_fresh(&seed, err);
    }
    if (!status && options->planned) {
        status = job_check(app, judging, job, err);
    }
    if (!status) {
        judging->options.seed = seed;
        judging->options.extras.speed = true;
        judging->options.extras.maps = true;
        judging->options.extras.no_references = !app->course->has_references;
    }
    return status;
}

// Where the result is, how to see it as a page, and what a student does next.
static void end_print(const struct app *app, const struct terminal *terminal,
                      const struct judgement *judgement, const char *out) {
    (void)printf(_("  written: %s/result.json\n"), out);
    if (app->options->out) {
        (void)printf(_("  page    make report RESULT=%s/result.json\n"), out);
    } else {
        (void)printf(_("  page    make report   (with pictures)\n"));
    }
    if (!app->options->submission) {
        struct next_course course = {.places = app->places, .whole = app->whole, .own = true};
        terminal_next_grade(terminal, &course, judgement);
    }
}

// Writes the result, then prints it.
static enum status grade_end(const struct app *app, const char *submission,
                             const struct judgement *judgement, const char *out,
                             enum exit_code *ret_code, struct error *err) {
    struct terminal terminal = terminal_of(stdout, submission, "");
    terminal.root = app->places->root;
    if (!app->options->planned && judging_nothing_graded(judgement)) {
        terminal_grade(&terminal, judgement);
        return fail(err, STATUS_UNAVAILABLE, "nothing could be graded: %s",
                    judgement->exercises[0].why.headline);
    }
    // A class belongs to its teacher alone.
    mode_t mask = app->options->planned ? umask(PRIVATE_MASK) : 0;
    enum status status = judging_result_write(judgement, out, err);
    if (app->options->planned) {
        (void)umask(mask);
    }
    if (status) {
        return status;
    }
    if (!app->options->submission) {
        (void)standing_keep(app->places, judgement, NULL);  // only a convenience
    }
    terminal.verbosity = app->options->verbosity;
    terminal_grade(&terminal, judgement);
    if (terminal.verbosity != VERBOSITY_QUIET) {
        end_print(app, &terminal, judgement, out);
    }
    output_end(out);
    *ret_code = all_well(judgement) ? EXIT_ALL_WELL : EXIT_KERNELS;
    return STATUS_OK;
}

// The time of all processors that this process and those that it waited for have used.
static int64_t cpu_milliseconds(void) {
    int64_t milliseconds = 0;
    for (int i = 0; i < 2; i++) {
        struct rusage usage;
        if (getrusage(i == 0 ? RUSAGE_SELF : RUSAGE_CHILDREN, &usage) == 0) {
            milliseconds += (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
                            (int64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
        }
    }
    return milliseconds;
}

enum status cmd_grade(const struct app *app, enum exit_code *ret_code, struct error *err) {
    static struct cublas_table cublas;
    char out[PATH_BYTES_MAX];
    struct judging judging = JUDGING_CLOSED;
    struct judgement *judgement = NULL;
    struct job job = {.key = ""};
    bool planned = app->options->planned;
    enum status status = grade_prepare(app, &judging, &job, out, err);
    int64_t begun = clock_ns();
    if (!status) {
        judging.options.extras.cublas = &cublas;
        status = judging_run(app, &judging, &judgement, err);
    }
    if (!status && planned) {
        status = job_check(app, &judging, &job, err);
    }
    if (!status) {
        judgement->origin =
            (struct judgement_origin){.assignment = app->assignment,
                                      .extension_days_max = job.extension_days_max,
                                      .job = planned ? job.key : NULL,
                                      .graded_at = moment_now(),
                                      .milliseconds = (clock_ns() - begun) / 1000000,
                                      .cpu_milliseconds = planned ? cpu_milliseconds() : 0};
        status = grade_end(app, judging.submission, judgement, out, ret_code, err);
    }
    judgement_free(judgement);
    judging_close(&judging);
    return status;
}

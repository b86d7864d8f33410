// `tilegrade grade`: correctness with secret inputs, then speed; result.json for all reports.
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

#include "app/command.h"
#include "app/commands/judging.h"
#include "app/terminal/terminal.h"
#include "base/file.h"
#include "base/texts.h"
#include "judge/judge.h"
#include "judge/speed/cublas.h"

// Every kernel that could be judged here is right, and none is slow.
static bool all_well(const struct judgement *judgement) {
    for (int i = 0; i < judgement->exercise_count; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        if (result->complete && result->verdict != VERDICT_PASS) {
            return false;
        }
        for (int s = 0; s < result->speed_count; s++) {
            if (result->speed[s].verdict == SPEED_SLOW) {
                return false;
            }
        }
    }
    return true;
}

static enum status seed_choose(const struct options *options, struct seed *ret_seed,
                               struct error *err) {
    if (options->has_seed) {
        *ret_seed = options->seed;
        return STATUS_OK;
    }
    return seed_fresh(ret_seed, err);
}

static enum status folders_make(const struct app *app, char submission[PATH_BYTES_MAX],
                                char out[PATH_BYTES_MAX], struct error *err) {
    const struct options *options = app->options;
    enum status status = options->submission ? path_make(submission, err, "%s", options->submission)
                                             : place_make(app->places, submission, err, "student");
    if (!status) {
        status = options->out ? path_make(out, err, "%s", options->out)
                              : place_make(app->places, out, err, "build/grade");
    }
    return status ? status : judging_out_make(out, options->out, err);
}

// A handout has no references: a student sees the counters there, and no points for speed.
static enum status references_look(const struct app *app, bool *ret_absent, struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = place_make(app->places, path, err, "reference");
    bool exists = false;
    if (!status) {
        status = file_exists(path, &exists, err);
    }
    if (!status) {
        *ret_absent = !exists;
    }
    return status;
}

// The result is whole and stands, also where nobody can read the text about it.
static void output_end(const char *out) {
    if (fflush(stdout) != 0) {
        (void)fprintf(stderr, _("tilegrade: cannot write the output; %s/result.json is whole\n"),
                      out);
        __fpurge(stdout);
        clearerr(stdout);
    }
}

enum status cmd_grade(const struct app *app, enum exit_code *ret_code, struct error *err) {
    static struct cublas_table cublas;
    char submission[PATH_BYTES_MAX];
    char folder[PATH_BYTES_MAX];
    char out[PATH_BYTES_MAX];
    struct judge_options judge;
    struct judgement *judgement = NULL;
    const struct exercise *exercise = NULL;
    bool no_references = false;
    bool quiet = app->options->verbosity == VERBOSITY_QUIET;
    struct seed seed;

    enum status status = app->options->exercise ? app_exercise(app, &exercise, err) : STATUS_OK;
    if (!status) {
        status = references_look(app, &no_references, err);
    }
    if (!status) {
        status = folders_make(app, submission, out, err);
    }
    if (!status) {
        status = seed_choose(app->options, &seed, err);
    }
    if (!status) {
        status = judging_prepare(app, submission, quiet ? NULL : stdout, folder, &judge, err);
    }
    if (status) {
        return status;
    }
    judge.cublas = &cublas;
    judge.only = exercise ? exercise->name : NULL;
    judge.seed = seed;
    judge.measure_speed = true;
    judge.draw_maps = true;
    judge.no_references = no_references;
    judging_progress_begin(app, &judge);
    status = judge_submission(&judge, &judgement, err);
    judging_progress_end();
    if (!status && judging_nothing_graded(judgement)) {
        struct terminal terminal = terminal_of(stdout, submission, "");
        terminal_grade(&terminal, judgement);
        status = fail(err, STATUS_UNAVAILABLE, "nothing could be graded: %s",
                      judgement->exercises[0].headline);
    }
    if (!status) {
        status = judging_result_write(judgement, out, err);
    }
    if (!status) {
        struct terminal terminal = terminal_of(stdout, submission, "");
        terminal.verbosity = app->options->verbosity;
        terminal_grade(&terminal, judgement);
        if (!quiet) {
            (void)printf(_("  written: %s/result.json\n"), out);
        }
        output_end(out);
        *ret_code = all_well(judgement) ? EXIT_ALL_WELL : EXIT_KERNELS;
    }
    judgement_free(judgement);
    judging_done(&judge);
    return status;
}

// `tilegrade test`: the judge with public inputs and without speed, for students.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "app/commands/judging.h"
#include "app/terminal/terminal.h"
#include "base/file.h"
#include "base/texts.h"
#include "judge/judge.h"

// Multiply-adds of a naive kernel on a busy laptop: every access is checked, in two runs.
#define WORK_PER_SECOND 20000000u
#define LARGE_WORK      (3ull * WORK_PER_SECOND)

// As in grade.c: what only a GPU can judge is no fault of a kernel.
static bool all_pass(const struct judgement *judgement) {
    for (int i = 0; i < judgement->exercise_count; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        if (result->complete && result->verdict != VERDICT_PASS) {
            return false;
        }
    }
    return judgement->exercise_count > 0;
}

// What must stand behind `make test EX=name SIZE=…` to repeat a case of this run.
static void repeat_options_make(const struct options *options, const char *folder,
                                char text[PATH_BYTES_MAX]) {
    char seed[SEED_TEXT_BYTES] = "";
    if (options->has_seed) {
        seed_format(options->seed, seed);
    }
    const char *short_seed = seed + strspn(seed, "0");
    bool chosen = options->device != CHOICE_AUTO;
    (void)snprintf(text, PATH_BYTES_MAX, "%s%s%s%s%s%s", options->has_seed ? " SEED=" : "",
                   options->has_seed && *short_seed == '\0' ? "0" : short_seed,
                   chosen ? " DEVICE=" : "", chosen ? device_choice_name(options->device) : "",
                   options->submission ? " SUBMISSION=" : "", options->submission ? folder : "");
}

// Of how many kernels NVIDIA's tool has had its say; what it alone saw stands among the findings.
static void sanitized_print(const struct judgement *judgement) {
    int count = 0;
    for (int i = 0; i < judgement->exercise_count; i++) {
        count += judgement->exercises[i].sanitized;
    }
    (void)printf(
        _("compute-sanitizer (memcheck, racecheck, initcheck, synccheck) went over %d of %d "
          "kernels\n"),
        count, judgement->exercise_count);
}

// Of several that are not started the first one says what to do; the others have a line each.
static void exercises_print(const struct terminal *terminal, const struct judgement *judgement) {
    struct terminal brief = *terminal;
    bool in_list = false;
    bool told = false;
    brief.verbosity = VERBOSITY_QUIET;
    for (int i = 0; i < judgement->exercise_count; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        bool stub = result->verdict == VERDICT_NOT_STARTED;
        bool listed = stub && told && terminal->verbosity == VERBOSITY_NORMAL;
        if (in_list && !listed) {
            (void)fputc('\n', terminal->out);
        }
        terminal_exercise(listed ? &brief : terminal, result);
        in_list = listed;
        told |= stub;
    }
    if (in_list) {
        (void)fputc('\n', terminal->out);
    }
}

static void judgement_print(const struct options *options, const char *folder,
                            const struct judgement *judgement) {
    char repeat[PATH_BYTES_MAX];
    repeat_options_make(options, folder, repeat);
    struct terminal terminal = terminal_of(stdout, folder, repeat);
    terminal.verbosity = options->verbosity;
    exercises_print(&terminal, judgement);
    terminal_test_summary(&terminal, judgement);
    if (options->sanitize) {
        sanitized_print(judgement);
    }
}

// A large size has no progress of its own to show: one launch is all of it.
static void long_run_announce(const struct options *options) {
    uint64_t work = options->size.m > 0 ? size_multiply_adds(options->size) : 0;
    if (work > LARGE_WORK) {
        char size[SIZE_TEXT_MAX];
        size_format(options->size, size);
        uint64_t seconds = work / WORK_PER_SECOND + 1;
        bool minutes = seconds > 120;
        (void)printf(minutes ? _("  %s is a large size for the CPU device: about %" PRIu64
                                 " minutes for a kernel. ^C ends it.\n\n")
                             : _("  %s is a large size for the CPU device: about %" PRIu64
                                 " s for a kernel. ^C ends it.\n\n"),
                     size, minutes ? seconds / 60 : seconds);
        (void)fflush(stdout);
    }
}

// Keeps each verdict for `list`, in build/last/NAME, with the hash of its file: a later test of one
// exercise leaves the others as they were.
static enum status last_write(const struct app *app, const struct judgement *judgement,
                              struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = place_make(app->places, path, err, "build/last");
    if (!status) {
        status = folder_make(path, err);
    }
    for (int i = 0; i < judgement->exercise_count && !status; i++) {
        const struct exercise_result *result = &judgement->exercises[i];
        char line[LAST_BYTES_MAX];
        (void)snprintf(line, sizeof line, "%s %s\n", verdict_name(result->verdict), result->sha256);
        status = place_make(app->places, path, err, "build/last/%s", result->exercise->name);
        if (!status) {
            status = file_write(path, line, strlen(line), err);
        }
    }
    return status;
}

// compute-sanitizer, where it is asked for: it needs a GPU.
static enum status sanitize_choose(const struct options *options, struct judge_options *judge,
                                   struct error *err) {
    judge->sanitize = options->sanitize;
    if (!judge->sanitize || judge->use_gpu) {
        return STATUS_OK;
    }
    judging_done(judge);
    return fail(err, STATUS_UNAVAILABLE,
                "compute-sanitizer needs a GPU to run on, and there is none to use here; the CPU "
                "device looks for the same mistakes without one");
}

enum status cmd_test(const struct app *app, enum exit_code *ret_code, struct error *err) {
    const struct options *options = app->options;
    char submission[PATH_BYTES_MAX];
    char folder[PATH_BYTES_MAX];
    char out[PATH_BYTES_MAX];
    char cache[PATH_BYTES_MAX];
    struct judge_options judge;
    struct judgement *judgement = NULL;
    const struct exercise *exercise = NULL;

    enum status status = options->exercise ? app_exercise(app, &exercise, err) : STATUS_OK;
    if (!status) {
        status = options->submission ? path_make(submission, err, "%s", options->submission)
                                     : place_make(app->places, submission, err, "student");
    }
    if (!status) {
        status = options->out ? path_make(out, err, "%s", options->out)
                              : place_make(app->places, out, err, "build/test");
    }
    if (!status) {
        status = judging_out_make(out, options->out, err);
    }
    if (!status) {
        long_run_announce(options);
        status = judging_prepare(app, submission, NULL, folder, &judge, err);
    }
    if (!status) {
        status = place_make(app->places, cache, err, "build/cache");
    }
    if (!status) {
        status = sanitize_choose(options, &judge, err);
    }
    if (status) {
        return status;
    }
    judge.cache = cache;  // `grade` has none: see judge/build/cache.h
    judge.only = exercise ? exercise->name : NULL;
    judge.only_size = options->size;
    judge.draw_maps = true;
    judge.seed = options->has_seed ? options->seed : PUBLIC_SEED;
    judging_progress_begin(app, &judge);
    status = judge_submission(&judge, &judgement, err);
    judging_progress_end();
    if (!status && judging_nothing_graded(judgement)) {
        judgement_print(options, options->submission ? options->submission : "student", judgement);
        status = fail(err, STATUS_UNAVAILABLE, "%s", judgement->exercises[0].headline);
    }
    if (!status) {
        status = judging_result_write(judgement, out, err);
    }
    if (!status && !options->submission && options->size.m == 0) {
        status = last_write(app, judgement, err);
    }
    if (!status) {
        judgement_print(options, options->submission ? options->submission : "student", judgement);
        *ret_code = all_pass(judgement) ? EXIT_ALL_WELL : EXIT_KERNELS;
    }
    judgement_free(judgement);
    judging_done(&judge);
    return status;
}

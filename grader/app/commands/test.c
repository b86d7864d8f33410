// `tilegrade test`: the judge with public inputs and without speed, for students.
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands/command.h"
#include "app/commands/judging.h"
#include "app/commands/testing.h"
#include "app/standing.h"
#include "app/terminal/next.h"
#include "app/terminal/terminal.h"
#include "base/file.h"
#include "base/translate.h"
#include "judge/judge.h"

// A naive kernel on a busy laptop: every access is checked, in two runs.
#define WORK_PER_SECOND 20000000u
#define LARGE_WORK      (3ull * WORK_PER_SECOND)
#define LONG_SECONDS    600  // asked about first

// A value for the command line of make, as a shell reads it: quoted unless it is plain.
static void value_print(FILE *out, const char *value) {
    if (value[strcspn(value, " \t\n\"'\\$`&;|<>()*?[]{}#!~")] == '\0') {
        (void)fputs(value, out);
        return;
    }
    (void)fputc('\'', out);
    for (; *value != '\0'; value++) {
        (void)fputs(*value == '\'' ? "'\\''" : (char[]){*value, '\0'}, out);
    }
    (void)fputc('\'', out);
}

// What follows `make test EX=name SIZE=…` to repeat a case of this run.  Owns: the caller frees it;
// NULL without memory.
static char *repeat_options(const struct options *options) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) {
        return NULL;
    }
    if (options->has_seed) {
        char seed[SEED_TEXT_BYTES];
        seed_format(options->seed, seed);
        const char *digits = seed + strspn(seed, "0");
        (void)fprintf(out, " SEED=%s", *digits == '\0' ? "0" : digits);
    }
    if (options->device != CHOICE_AUTO) {
        (void)fprintf(out, " DEVICE=%s", device_choice_name(options->device));
    }
    if (options->submission) {
        (void)fputs(" SUBMISSION=", out);
        value_print(out, options->submission);
    }
    return stream_close(out, &text) ? text : NULL;
}

// If several kernels are not started, the first block says what to do; the others get one line
// each.
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

static void judgement_print(const struct app *app, const struct judgement *judgement) {
    const struct options *options = app->options;
    char *repeat = repeat_options(options);
    const char *folder = options->submission ? options->submission : "student";
    char shown[PATH_BYTES_MAX] = "./";
    // Lines begin with this name: "::error" at the start of one would be a command to a CI system.
    bool plain = isalnum((unsigned char)folder[0]) || folder[0] == '.' || folder[0] == '/';
    size_t before = plain ? 0 : strlen(shown);
    terminal_clean_name(folder, shown + before, sizeof shown - before);
    if (repeat) {
        terminal_clean_name(repeat, repeat, strlen(repeat) + 1);
    }
    struct terminal terminal = terminal_of(stdout, shown, repeat ? repeat : "");
    terminal.root = app->places->root;
    terminal.verbosity = options->verbosity;
    exercises_print(&terminal, judgement);
    terminal_test_summary(&terminal, judgement);
    if (options->verbosity != VERBOSITY_QUIET) {
        struct next_course course = {
            .places = app->places, .whole = app->whole, .own = !options->submission};
        terminal_next_test(&terminal, &course, judgement);
    }
    free(repeat);
}

// True if the person at the terminal wants to wait that long; a script has decided already.
static bool is_wanted(void) {
    char answer[16] = "";
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        return true;
    }
    (void)fputs(_("  Go on? (y/n) "), stdout);
    (void)fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

// A large size is a single launch, which has no progress to show.  Asks before one that takes very
// long.
static enum status long_run_announce(const struct app *app, struct error *err) {
    const struct options *options = app->options;
    char size[SIZE_TEXT_MAX] = "";
    uint64_t work = 0;
    for (int i = 0; i < app->course->exercise_count && options->size.m > 0; i++) {
        const struct signature *signature = &app->course->exercises[i].signature;
        struct size one = options->size;
        enum status status = signature_size_fit(signature, &one, err);
        if (status) {
            return status;
        }
        work = signature_work(signature, one) > work ? signature_work(signature, one) : work;
        size_format(one, size);
    }
    if (work <= LARGE_WORK) {
        return STATUS_OK;
    }
    uint64_t seconds = work / WORK_PER_SECOND + 1;
    bool minutes = seconds > 120;
    (void)printf(minutes ? _("  %s is a large size for the CPU device: about %" PRIu64
                             " minutes for each kernel. ^C stops it.\n\n")
                         : _("  %s is a large size for the CPU device: about %" PRIu64
                             " s for each kernel. ^C stops it.\n\n"),
                 size, minutes ? seconds / 60 : seconds);
    (void)fflush(stdout);
    return seconds < LONG_SECONDS || is_wanted()
               ? STATUS_OK
               : fail(err, STATUS_BAD_USAGE,
                      "nothing was run; a smaller size shows the same mistakes sooner");
}

// Gets ready to judge with public inputs; `out` is where the result goes.
static enum status test_prepare(const struct app *app, struct judging *judging,
                                char out[PATH_BYTES_MAX], char cache[PATH_BYTES_MAX],
                                struct error *err) {
    const struct options *options = app->options;
    enum status status = judging_out_make(app, "build/test", out, err);
    if (!status) {
        status = long_run_announce(app, err);
    }
    if (!status) {
        status = judging_open(app, NULL, NULL, judging, err);
    }
    if (!status) {
        status = place_make(app->places, cache, err, "build/cache");
    }
    if (!status) {
        struct judge_options *judge = &judging->options;
        judge->machine.cache = cache;  // not used by `grade`: see judge/build/cache.h
        judge->only_size = options->size;
        judge->extras.maps = true;
        judge->seed = options->has_seed ? options->seed : PUBLIC_SEED;
    }
    return status;
}

// Writes the result, then prints it.
static enum status test_end(const struct app *app, test_print *print,
                            const struct judgement *judgement, const char *out,
                            enum exit_code *ret_code, struct error *err) {
    const struct options *options = app->options;
    if (judging_nothing_graded(judgement)) {
        print(app, judgement);
        return fail(err, STATUS_UNAVAILABLE, "%s", judgement->exercises[0].why.headline);
    }
    enum status status = judging_result_write(judgement, out, err);
    if (!status && !options->submission && options->size.m == 0) {
        status = standing_keep(app->places, judgement, err);
    }
    if (!status) {
        print(app, judgement);
        *ret_code = judging_all_pass(judgement) ? EXIT_ALL_WELL : EXIT_KERNELS;
    }
    return status;
}

enum status test_run(const struct app *app, test_print *print, enum exit_code *ret_code,
                     struct error *err) {
    char out[PATH_BYTES_MAX];
    char cache[PATH_BYTES_MAX];
    struct judging judging = JUDGING_CLOSED;
    struct judgement *judgement = NULL;
    enum status status = test_prepare(app, &judging, out, cache, err);
    if (!status) {
        status = judging_run(app, &judging, &judgement, err);
    }
    if (!status) {
        status = test_end(app, print, judgement, out, ret_code, err);
    }
    judgement_free(judgement);
    judging_close(&judging);
    return status;
}

enum status cmd_test(const struct app *app, enum exit_code *ret_code, struct error *err) {
    return test_run(app, judgement_print, ret_code, err);
}

// `tilegrade profile`: the counters of one kernel, counted here and read by ncu on the GPU, side by
// side.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "app/command.h"
#include "app/commands/judging.h"
#include "app/terminal/parts.h"
#include "app/terminal/terminal.h"
#include "base/file.h"
#include "base/texts.h"
#include "judge/nvidia/profile.h"

static const struct size default_size = {512, 512, 512};

static void row_print(const struct profile_row *row) {
    (void)printf("  %-28s %14" PRIu64 " ", row->name, row->counted);
    if (isnan(row->measured)) {
        (void)printf(_("%14s  ncu does not say\n"), "-");
        return;
    }
    bool equal = row->measured == (double)row->counted;
    (void)printf("%14.0f  %s%s%s\n", row->measured, equal ? _("equal") : _("not equal"),
                 equal || row->why[0] == '\0' ? "" : ": ", equal ? "" : _(row->why));
}

// Which of ncu's names stands behind each row, for those who look there next.
static void metrics_print(const struct profile *profile) {
    (void)printf(_("\n  in ncu these are\n"));
    for (int i = 0; i < profile->row_count; i++) {
        const struct profile_row *row = &profile->row[i];
        (void)printf("  %-28s %s%s%s\n", row->name, row->metric, row->plus[0] != '\0' ? " + " : "",
                     row->plus);
    }
}

enum status cmd_profile(const struct app *app, enum exit_code *ret_code, struct error *err) {
    const struct options *options = app->options;
    const struct exercise *exercise = NULL;
    struct judge_options judge;
    struct profile profile = {.row_count = 0};
    char submission[PATH_BYTES_MAX];
    char folder[PATH_BYTES_MAX];
    char size_text[SIZE_TEXT_MAX];
    struct size size = options->size.m > 0 ? options->size : default_size;
    enum status status = app_exercise(app, &exercise, err);
    if (!status) {
        status = options->submission ? path_make(submission, err, "%s", options->submission)
                                     : place_make(app->places, submission, err, "student");
    }
    if (!status) {
        status = judging_prepare(app, submission, NULL, folder, &judge, err);
    }
    if (status) {
        return status;
    }
    if (!judge.use_gpu) {
        status = fail(err, STATUS_UNAVAILABLE,
                      "ncu reads the counters of a GPU, and there is none to use here: `make grade "
                      "EX=%s` counts the work without one",
                      exercise->name);
    }
    if (!status) {
        status = profile_make(&judge, exercise, size, &profile, err);
    }
    if (!status) {
        size_format(size, size_text);
        (void)printf(_("%s at %s on %s\n\n"), exercise->name, size_text, judge.gpu_name);
        struct terminal terminal = terminal_of(stdout, "", "");
        (void)printf("  %-28s ", "");
        terminal_right(&terminal, _("counted here"), 14);
        (void)printf(" %14s\n", "ncu");
        for (int i = 0; i < profile.row_count; i++) {
            row_print(&profile.row[i]);
        }
        metrics_print(&profile);
        *ret_code = EXIT_ALL_WELL;
    }
    judging_done(&judge);
    return status;
}

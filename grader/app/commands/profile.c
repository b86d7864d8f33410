// `tilegrade profile`: the counters of one kernel, counted here and read by ncu on the GPU, side by
// side.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "app/commands/command.h"
#include "app/commands/judging.h"
#include "app/terminal/parts.h"
#include "app/terminal/terminal.h"
#include "base/file.h"
#include "base/translate.h"
#include "judge/nvidia/profile.h"

static const struct size default_size = {512, 512, 512};

static void row_print(const struct profile_row *row) {
    (void)printf("  %-28s %14" PRIu64 " ", row->name, row->counted);
    if (isnan(row->measured)) {
        (void)printf(_("%14s  not reported by ncu\n"), "-");
        return;
    }
    bool equal = row->measured == (double)row->counted;
    (void)printf("%14.0f  %s%s%s\n", row->measured, equal ? _("equal") : _("not equal"),
                 equal || row->why[0] == '\0' ? "" : ": ", equal ? "" : _(row->why));
}

// The name in ncu of each row, for readers who continue there.
static void metrics_print(const struct profile *profile) {
    (void)printf(_("\n  names of these counters in ncu\n"));
    for (int i = 0; i < profile->row_count; i++) {
        const struct profile_row *row = &profile->row[i];
        (void)printf("  %-28s %s%s%s\n", row->name, row->metric, row->plus[0] != '\0' ? " + " : "",
                     row->plus);
    }
}

static void profile_print(const struct exercise *exercise, struct size size, const char *gpu_name,
                          const struct profile *profile) {
    char size_text[SIZE_TEXT_MAX];
    struct terminal terminal = terminal_of(stdout, "", "");
    size_format(size, size_text);
    (void)printf(_("%s at %s on %s\n\n"), exercise->name, size_text, gpu_name);
    (void)printf("  %-28s ", "");
    terminal_right(&terminal, _("counted here"), 14);
    (void)printf(" %14s\n", "ncu");
    for (int i = 0; i < profile->row_count; i++) {
        row_print(&profile->row[i]);
    }
    metrics_print(profile);
}

static enum status exercise_profile(const struct app *app, const struct exercise *exercise,
                                    struct error *err) {
    struct judging judging = JUDGING_CLOSED;
    struct profile profile = {.row_count = 0};
    struct size size = app->options->size.m > 0 ? app->options->size : default_size;
    enum status status =
        exercise->signature.is_product
            ? signature_size_fit(&exercise->signature, &size, err)
            : fail(err, STATUS_UNAVAILABLE,
                   "ncu is run for products alone so far: `make grade EX=%s` counts the work",
                   exercise->name);
    if (!status) {
        status = judging_open(app, NULL, NULL, &judging, err);
    }
    if (!status && !judging.options.uses[DEVICE_GPU]) {
        status = fail(err, STATUS_UNAVAILABLE,
                      "ncu needs a GPU, and none can be used here: `make grade EX=%s` counts the "
                      "work without one",
                      exercise->name);
    }
    if (!status) {
        status = profile_make(&judging.options, exercise, size, &profile, err);
    }
    if (!status) {
        profile_print(exercise, size, judging.options.machine.gpu.name, &profile);
    }
    judging_close(&judging);
    return status;
}

enum status cmd_profile(const struct app *app, enum exit_code *ret_code, struct error *err) {
    *ret_code = EXIT_ALL_WELL;
    return app_each_named(app, exercise_profile, err);
}

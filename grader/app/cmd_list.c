// `tilegrade list`: the exercises in order, each with the result of its last whole `make test`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/terminal.h"
#include "app/terminal_parts.h"
#include "base/file.h"
#include "base/texts.h"

// What stands behind an exercise that was not tested yet.
#define NOT_TRIED _("not tried yet")

// False where the exercise was not tested yet.
static bool last_read(const struct app *app, const struct exercise *exercise,
                      enum verdict *ret_verdict) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    if (place_make(app->places, path, NULL, "build/last/%s", exercise->name) ||
        file_read(path, NAME_BYTES_MAX, &text, &bytes, NULL)) {
        return false;
    }
    bool known = verdict_parse(text, ret_verdict);
    free(text);
    return known;
}

static enum color color_of(bool known, enum verdict verdict) {
    if (!known) {
        return COLOR_DIM;
    }
    return verdict == VERDICT_PASS                                          ? COLOR_GREEN
           : verdict == VERDICT_NOT_STARTED || verdict == VERDICT_NEEDS_GPU ? COLOR_YELLOW
                                                                            : COLOR_RED;
}

enum status cmd_list(const struct app *app, enum exit_code *ret_code, struct error *err) {
    (void)err;
    struct terminal terminal = terminal_of(stdout, "", "");
    struct {
        bool known;
        enum verdict verdict;
    } last[EXERCISES_MAX];
    int width = 0;
    for (int i = 0; i < app->course->exercise_count; i++) {
        last[i].verdict = VERDICT_PASS;
        last[i].known = last_read(app, &app->course->exercises[i], &last[i].verdict);
        const char *title = last[i].known ? verdict_title(last[i].verdict) : NOT_TRIED;
        int columns = terminal_columns(title, strlen(title));
        width = columns > width ? columns : width;
    }
    for (int i = 0; i < app->course->exercise_count; i++) {
        const struct exercise *exercise = &app->course->exercises[i];
        (void)printf("  %02d  %-16s ", exercise->number, exercise->name);
        const char *title = last[i].known ? verdict_title(last[i].verdict) : NOT_TRIED;
        terminal_color(&terminal, color_of(last[i].known, last[i].verdict), "%s%*s", title,
                       width - terminal_columns(title, strlen(title)), "");
        (void)printf("  %s\n", exercise->title);
    }
    *ret_code = EXIT_ALL_WELL;
    return STATUS_OK;
}

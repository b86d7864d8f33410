// `tilegrade list`: the exercises in order, each with the result of its last whole `make test`.
#include <stdio.h>
#include <stdlib.h>

#include "app/command.h"
#include "app/terminal.h"
#include "base/file.h"

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

enum status cmd_list(const struct app *app, enum exit_code *ret_code, struct error *err) {
    (void)err;
    struct terminal terminal = terminal_of(stdout, "", "");
    for (int i = 0; i < app->course->exercise_count; i++) {
        const struct exercise *exercise = &app->course->exercises[i];
        enum verdict verdict = VERDICT_PASS;
        bool known = last_read(app, exercise, &verdict);
        (void)printf("  %02d  %-16s ", exercise->number, exercise->name);
        enum color color = verdict == VERDICT_PASS ? COLOR_GREEN : COLOR_YELLOW;
        terminal_color(&terminal, known ? color : COLOR_DIM, "%-18s",
                       known ? verdict_title(verdict) : "not tried yet");
        (void)printf(" %s\n", exercise->title);
    }
    *ret_code = EXIT_ALL_WELL;
    return STATUS_OK;
}

// `tilegrade list`: the exercises in order, each with the result of its last whole `make test`, and
// whether the file has changed since then.
#include <stdio.h>
#include <string.h>

#include "app/commands/command.h"
#include "app/standing.h"
#include "app/terminal/terminal.h"
#include "app/terminal/parts.h"
#include "base/translate.h"

#define STATE_BYTES_MAX 128

// What is known of an exercise.
struct last {
    struct standing standing;
    char text[STATE_BYTES_MAX];  // as shown
};

static struct last last_read(const struct app *app, const struct exercise *exercise) {
    struct last last = {.standing = standing_read(app->places, exercise)};
    (void)snprintf(last.text, sizeof last.text, last.standing.stale ? _("%s, changed since") : "%s",
                   last.standing.known ? verdict_title(last.standing.verdict) : _("not tried yet"));
    return last;
}

static enum color color_of(const struct last *last) {
    if (!last->standing.known || last->standing.stale) {
        return COLOR_DIM;
    }
    return terminal_verdict_color(last->standing.verdict);
}

enum status cmd_list(const struct app *app, enum exit_code *ret_code, struct error *err) {
    (void)err;
    struct terminal terminal = terminal_of(stdout, "", "");
    struct last last[EXERCISES_MAX];
    int width = 0;
    for (int i = 0; i < app->course->exercise_count; i++) {
        last[i] = last_read(app, &app->course->exercises[i]);
        int columns = terminal_columns(last[i].text, strlen(last[i].text));
        width = columns > width ? columns : width;
    }
    if (app->assignment && app->assignment->due != MOMENT_NONE) {
        (void)printf(_("  %s, due %s\n"), app->assignment->title, app->assignment->due_text);
    } else if (app->assignment) {
        (void)printf("  %s\n", app->assignment->title);
    }
    for (int i = 0; i < app->course->exercise_count; i++) {
        const struct exercise *exercise = &app->course->exercises[i];
        const char *text = last[i].text;
        (void)printf("  %02d  %-16s ", exercise->number, exercise->name);
        terminal_color(&terminal, color_of(&last[i]), "%s%*s", text,
                       width - terminal_columns(text, strlen(text)), "");
        (void)printf("  %s\n", exercise->title);
    }
    *ret_code = EXIT_ALL_WELL;
    return STATUS_OK;
}

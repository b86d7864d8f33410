// `tilegrade list`: the exercises in order, each with the result of its last whole `make test`, and
// whether the file has changed since then.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands/command.h"
#include "app/terminal/terminal.h"
#include "app/terminal/parts.h"
#include "base/file.h"
#include "base/translate.h"

#define STATE_BYTES_MAX 128

// What is known of an exercise.
struct last {
    bool known;  // it was tested
    bool stale;  // its file has changed since then
    enum verdict verdict;
    char text[STATE_BYTES_MAX];  // as shown
};

// True if the student's file no longer has this hash.
static bool is_changed(const struct app *app, const struct exercise *exercise, const char *hash) {
    char path[PATH_BYTES_MAX];
    char now[65] = "";
    char *text = NULL;
    size_t bytes = 0;
    if (!place_make(app->places, path, NULL, "student/%s.cu", exercise->name) &&
        !file_read(path, SOURCE_BYTES_MAX, &text, &bytes, NULL)) {
        sha256_hex(text, bytes, now);
    }
    free(text);
    return strcmp(now, hash) != 0;
}

static struct last last_read(const struct app *app, const struct exercise *exercise) {
    struct last last = {.verdict = VERDICT_PASS};
    char path[PATH_BYTES_MAX];
    char verdict[32] = "";
    char hash[65] = "";
    char *text = NULL;
    size_t bytes = 0;
    if (!place_make(app->places, path, NULL, "build/last/%s", exercise->name) &&
        !file_read(path, LAST_BYTES_MAX, &text, &bytes, NULL) &&
        sscanf(text, "%31s %64s", verdict, hash) >= 1) {
        last.known = verdict_parse(verdict, &last.verdict);
    }
    free(text);
    last.stale = last.known && is_changed(app, exercise, hash);
    (void)snprintf(last.text, sizeof last.text, last.stale ? _("%s, changed since") : "%s",
                   last.known ? verdict_title(last.verdict) : _("not tried yet"));
    return last;
}

static enum color color_of(const struct last *last) {
    if (!last->known || last->stale) {
        return COLOR_DIM;
    }
    return terminal_verdict_color(last->verdict);
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

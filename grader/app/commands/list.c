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
struct last_verdict {
    struct standing standing;
    char text[STATE_BYTES_MAX];  // as shown
    char points[POINTS_OF_BYTES];
};

static struct last_verdict last_read(const struct app *app, const struct exercise *exercise) {
    struct last_verdict last = {.standing = standing_read(app->places, exercise)};
    (void)snprintf(last.text, sizeof last.text, last.standing.stale ? _("%s, changed since") : "%s",
                   last.standing.known ? verdict_title(last.standing.verdict) : _("not tried yet"));
    return last;
}

static enum color color_of(const struct last_verdict *last) {
    if (!last->standing.known || last->standing.stale) {
        return COLOR_DIM;
    }
    return terminal_verdict_color(last->standing.verdict);
}

// "30 of 40", of a file that has not changed since it was graded; else "".
static void points_text(const struct standing *standing, char text[POINTS_OF_BYTES]) {
    text[0] = '\0';
    if (!standing->stale && standing->points_max > 0) {
        points_of_format(standing->points, standing->points_max, standing->points_open, text);
    }
}

// How far the student is: what passes, and the points that were given.
static void total_print(const struct course *course, const struct last_verdict *last) {
    char points[POINTS_OF_BYTES];
    struct standing sum = {.points = 0};
    int passed = 0;
    bool graded = false;
    for (int i = 0; i < course->exercise_count; i++) {
        const struct standing *standing = &last[i].standing;
        passed += standing_passed(standing);
        graded |= !standing->stale && standing->points_max > 0;
        sum.points += standing->stale ? 0 : standing->points;
        sum.points_open += standing->stale ? 0 : standing->points_open;
        bool counts = !course->exercises[i].is_optional || standing->points_max > 0;
        sum.points_max += counts ? course->exercises[i].points_max : 0;
    }
    points_of_format(sum.points, sum.points_max, sum.points_open, points);
    if (graded) {
        (void)printf(_("\n  %d of %d pass; points so far: %s\n"), passed, course->exercise_count,
                     points);
    } else {
        (void)printf(_("\n  %d of %d pass\n"), passed, course->exercise_count);
    }
}

enum status cmd_list(const struct app *app, enum exit_code *ret_code, struct error *err) {
    (void)err;
    struct terminal terminal = terminal_of(stdout, "", "");
    struct progress_made made = progress_made(app->places, app->whole);
    struct last_verdict last[EXERCISES_MAX];
    int width = 0;
    int points_width = 0;
    for (int i = 0; i < app->course->exercise_count; i++) {
        last[i] = last_read(app, &app->course->exercises[i]);
        points_text(&last[i].standing, last[i].points);
        int columns = terminal_columns(last[i].text, strlen(last[i].text));
        width = columns > width ? columns : width;
        columns = terminal_columns(last[i].points, strlen(last[i].points));
        points_width = columns > points_width ? columns : points_width;
    }
    if (app->assignment && app->assignment->due != MOMENT_NONE) {
        (void)printf(_("  %s, due %s\n"), app->assignment->title, app->assignment->due_text);
    } else if (app->assignment) {
        (void)printf("  %s\n", app->assignment->title);
    }
    for (int i = 0; i < app->course->exercise_count; i++) {
        const struct exercise *exercise = &app->course->exercises[i];
        const char *text = last[i].text;
        bool current = made.current >= 0 &&
                       strcmp(app->whole->exercises[made.current].name, exercise->name) == 0;
        (void)printf("%s %0*d  %-16s ", current ? ">" : " ", exercise_digits(exercise),
                     exercise->number, exercise->name);
        terminal_color(&terminal, color_of(&last[i]), "%s%*s", text,
                       width - terminal_columns(text, strlen(text)), "");
        (void)fputs("  ", stdout);
        if (points_width > 0) {
            terminal_left(&terminal, last[i].points, points_width + 2);
        }
        (void)printf(exercise->is_optional ? _("%s (optional)\n") : "%s\n",
                     exercise_title(exercise));
    }
    if (!app->options->exercise) {
        total_print(app->course, last);
    }
    *ret_code = EXIT_ALL_WELL;
    return STATUS_OK;
}

// The picture is made again after each event; the screen writes it only if it has changed.
#include "app/watch/view.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/standing.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/translate.h"

#define SLOW_S      1  // a run that takes longer shows its time
#define BAR_COLUMNS 40
#define BAR_TEXT    20  // columns of the text after the bar

static void bar_print(FILE *out, const struct watch *watch) {
    struct progress_made made = progress_made(watch->app->places, watch->app->whole);
    int count = watch->app->whole->exercise_count;
    int columns = watch->screen.columns - BAR_TEXT;
    columns = columns < BAR_COLUMNS ? columns : BAR_COLUMNS;
    (void)fputc('[', out);
    for (int i = 0; i < columns; i++) {
        (void)fputc(i < made.passed * columns / count ? '#' : '-', out);
    }
    (void)fprintf(out, _("] %d of %d pass"), made.passed, count);
    (void)fputc('\n', out);
}

static void state_print(FILE *out, const struct watch *watch) {
    uint64_t seconds = (clock_ms() - watch->errand.begun_ms) / 1000;
    const char *name = exercise_now(watch)->name;
    if (watch->notice[0] != '\0') {
        (void)fprintf(out, "%s\n", watch->notice);
    }
    if (watch->asks) {
        (void)fprintf(out, _("Begin student/%s.cu again, from the stub? Your file is kept.\n"),
                      name);
    } else if (watch->task == TASK_JUDGE && seconds < SLOW_S) {
        (void)fprintf(out, _("judging student/%s.cu …\n"), name);
    } else if (watch->task == TASK_JUDGE) {
        (void)fprintf(out, _("judging student/%s.cu … %d s\n"), name, (int)seconds);
    } else {
        (void)fprintf(out, "%s%s\n", watch->message,
                      watch->task == TASK_COMPARE ? _("; counting its work …") : "");
    }
}

static const char *keys_text(const struct watch *watch) {
    return watch->asks    ? _("y yes, begin again  any other key: no\n")
           : watch->aside ? _("Enter back  h next hint  l list  q quit  ? help\n")
                          : _("h hint  n next  l list  r reset  p page  q quit  ? help\n");
}

static char *foot_make(const struct watch *watch) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) {
        return NULL;
    }
    state_print(out, watch);
    bar_print(out, watch);
    (void)fputs(keys_text(watch), out);
    return stream_close(out, &text) ? text : NULL;
}

void watch_draw(struct watch *watch) {
    const struct exercise *exercise = exercise_now(watch);
    char head[TITLE_BYTES_MAX + 2 * NAME_BYTES_MAX + 320];
    char *foot = watch->screen.is_drawn ? foot_make(watch) : NULL;
    const char *body = watch->aside ? watch->aside : watch->verdict ? watch->verdict : "";
    if (!foot) {
        return;
    }
    (void)snprintf(head, sizeof head, "%s%s%s  student/%s.cu\n%s%s\n",
                   watch->screen.colors ? "\033[1m" : "", exercise_title(exercise),
                   watch->screen.colors ? "\033[0m" : "", exercise->name, watch->page.address,
                   watch->page.pid > 0 ? "\n" : "");
    struct picture picture = {.head = head, .body = body, .from = watch->from, .foot = foot};
    screen_draw(&watch->screen, &picture);
    watch->from = picture.from;
    free(foot);
}

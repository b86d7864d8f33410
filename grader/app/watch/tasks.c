// A save cuts short whatever runs, so at most one task runs at a time.
#include "app/watch/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/standing.h"
#include "app/terminal/parts.h"
#include "app/terminal/terminal.h"
#include "app/watch/verdict.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/translate.h"

#define NOTICE_MS 2000  // a key may cause a save, as r does, which must not take its notice away

// A message, with the time of day, so that a student sees that this save was noticed.
static void moment_say(struct watch *watch, uint64_t took_ms) {
    time_t now = time(NULL);
    struct tm local;
    char clock[16] = "";
    if (localtime_r(&now, &local)) {
        (void)strftime(clock, sizeof clock, "%H:%M:%S", &local);
    }
    (void)snprintf(watch->message, sizeof watch->message, _("%s  judged in %.1f s"), clock,
                   (double)took_ms / 1000);
}

static enum status task_begin(struct watch *watch, enum task task, command_body *body,
                              struct error *err) {
    struct app one = *watch->app;
    one.course = watch->course;
    enum status status = errand_start(&one, body, manner_of(watch, true), &watch->errand, err);
    watch->task = status ? TASK_NONE : task;
    return status;
}

enum status judge_begin(struct watch *watch, struct error *err) {
    const struct exercise *exercise = exercise_now(watch);
    errand_stop(&watch->errand);
    watch->due_ms = 0;
    watch->asks = false;
    if (clock_ms() - watch->notice_ms > NOTICE_MS) {
        watch->notice[0] = '\0';
    }
    *watch->course = *watch->app->whole;
    watch->course->exercises[0] = *exercise;
    watch->course->exercise_count = 1;
    saves_note(&watch->saves, exercise);
    return task_begin(watch, TASK_JUDGE, verdict_judge, err);
}

// The next exercise in order that has not passed; -1: there is none.
static int open_find(const struct watch *watch) {
    const struct course *whole = watch->app->whole;
    for (int i = 1; i < whole->exercise_count; i++) {
        int place = (watch->current + i) % whole->exercise_count;
        struct standing standing = standing_read(watch->app->places, &whole->exercises[place]);
        if (!standing_passed(&standing)) {
            return place;
        }
    }
    return -1;
}

int next_place(const struct watch *watch) {
    struct standing standing = standing_read(watch->app->places, exercise_now(watch));
    int open = standing_passed(&standing) ? open_find(watch) : -1;
    return open < 0 ? watch->current + 1 : open;
}

// What comes after a pass.
static void next_append(struct watch *watch) {
    char text[PATH_BYTES_MAX + TITLE_BYTES_MAX];
    char *line = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes);
    struct terminal terminal = {.out = out, .columns = terminal_width(watch->screen.columns)};
    int next = open_find(watch);
    if (!out) {
        return;
    }
    watch->next_at = watch->verdict ? strlen(watch->verdict) : 0;
    if (watch->app->options->size.m > 0) {
        (void)snprintf(text, sizeof text, _("make watch EX=%s (all sizes)"),
                       exercise_now(watch)->name);
    } else if (next < 0) {
        (void)snprintf(text, sizeof text, "%s",
                       _("every exercise passes: make grade gives the points"));
    } else {
        const struct exercise *exercise = &watch->app->whole->exercises[next];
        char page[PATH_BYTES_MAX];
        page_in_language(watch->app->places->root, page, "%s/lesson.md", exercise->lesson);
        (void)snprintf(text, sizeof text, _("%s: %s (key n)"), exercise_title(exercise), page);
    }
    terminal_label_begin(&terminal, _("next"));
    terminal_hang(&terminal, LABEL_COLUMNS + 3, text);
    if (stream_close(out, &line)) {
        text_append(&watch->verdict, line);
        stream_say(watch, line);
    }
    free(line);
}

static enum status judge_end(struct watch *watch, int code, char *text, uint64_t took_ms,
                             struct error *err) {
    enum status status = STATUS_OK;
    text_replace(&watch->verdict, text);
    text_replace(&watch->aside, NULL);
    watch->from = 0;
    watch->task = TASK_NONE;
    moment_say(watch, took_ms);
    stream_say(watch, text ? text : "");
    bool compares = code == EXIT_ALL_WELL && watch->app->options->size.m == 0;
    if (compares && exercise_now(watch)->counted_count > 0) {
        status = task_begin(watch, TASK_COMPARE, verdict_compare, err);
    }
    // A stream cannot put the comparison before it later.
    if (code == EXIT_ALL_WELL && (watch->task == TASK_NONE || watch->screen.is_drawn)) {
        next_append(watch);
    }
    return status;
}

static void compare_end(struct watch *watch, int code, char *text) {
    watch->task = TASK_NONE;
    if (watch->verdict && watch->screen.is_drawn) {
        watch->verdict[watch->next_at] = '\0';
    }
    if (code == EXIT_ALL_WELL && text) {  // else there is nothing to compare with
        text_append(&watch->verdict, text);
        stream_say(watch, text);
    }
    free(text);
    next_append(watch);
}

enum status errand_look(struct watch *watch, struct error *err) {
    int code = 0;
    char *text = NULL;
    uint64_t begun = watch->errand.begun_ms;
    if (watch->task == TASK_NONE || !errand_ended(&watch->errand, &code, &text)) {
        return STATUS_OK;
    }
    if (watch->task == TASK_COMPARE) {
        compare_end(watch, code, text);
        return STATUS_OK;
    }
    return judge_end(watch, code, text, clock_ms() - begun, err);
}

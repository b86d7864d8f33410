// Keys that show something run a command as an errand and wait for it: that takes milliseconds.
#include "app/watch/keys.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/watch/page.h"
#include "app/watch/tasks.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/translate.h"

#define DIGITS_MS 1000  // between the digits of a number

static void notice_say(struct watch *watch, const char *text) {
    (void)snprintf(watch->notice, sizeof watch->notice, "%s", text);
    watch->notice_ms = clock_ms();
}

// What a command prints.
static enum status command_text(struct watch *watch, command_body *body, char **ret_text,
                                struct error *err) {
    struct options options = *watch->app->options;
    struct app one = *watch->app;
    int code = 0;
    options.exercise = exercise_now(watch)->name;
    one.options = &options;
    one.course = body == cmd_list ? watch->app->whole : watch->course;
    return errand_run(&one, body, manner_of(watch, false), &code, ret_text, err);
}

// Instead of the verdict.
static enum status aside_show(struct watch *watch, command_body *body, struct error *err) {
    char *text = NULL;
    enum status status = command_text(watch, body, &text, err);
    if (!status) {
        text_replace(&watch->aside, text);
        watch->hints = false;
        watch->from = 0;
    }
    return status;
}

// The next hint, after those that are shown already.
static enum status hint_show(struct watch *watch, struct error *err) {
    char *text = NULL;
    if (!watch->aside || !watch->hints) {
        enum status status = aside_show(watch, cmd_hint, err);
        watch->hints = true;
        return status;
    }
    enum status status = command_text(watch, cmd_hint, &text, err);
    if (!status && text) {
        size_t shown = strlen(watch->aside);
        bool apart = shown < 2 || strcmp(watch->aside + shown - 2, "\n\n") == 0;
        text_append(&watch->aside, apart ? "" : "\n");
        text_append(&watch->aside, text);
        watch->from = INT_MAX;
    }
    free(text);
    return status;
}

// On the lines for notices.
static enum status notice_show(struct watch *watch, command_body *body, struct error *err) {
    char *text = NULL;
    enum status status = command_text(watch, body, &text, err);
    if (!status) {
        notice_say(watch, text ? text : "");
        size_t length = strlen(watch->notice);
        while (length > 0 && watch->notice[length - 1] == '\n') {
            watch->notice[--length] = '\0';
        }
    }
    free(text);
    return status;
}

static void help_show(struct watch *watch) {
    static const char *const lines[] = {
        N_("Each save in student/ is judged, and this screen shows the verdict.\n"),
        "\n",
        N_("  h   the next hint for this exercise; after the last one, the first again\n"),
        N_("  n   the next exercise;  b  the one before;  3 or 030  the one of that number\n"),
        N_("  l   the list of exercises\n"),
        N_("  r   begin this exercise again; the old file is kept\n"),
        N_("  p   the page of this result, with pictures\n"),
        N_("  Enter   judge again, or back to the verdict\n"),
        N_("  space, arrows   the rest of a long text\n"),
        N_("  q   quit\n"),
        "\n",
        N_("lessons/verdicts.md explains each verdict.\n"),
    };
    text_replace(&watch->aside, NULL);
    watch->hints = false;
    for (size_t i = 0; i < COUNT(lines); i++) {
        text_append(&watch->aside, lines[i][0] == '\n' ? lines[i] : _(lines[i]));
    }
    watch->from = 0;
}

static enum status exercise_go(struct watch *watch, int place, struct error *err) {
    if (place < 0 || place >= watch->app->whole->exercise_count) {
        notice_say(watch,
                   place < 0 ? _("This is the first exercise.") : _("This is the last exercise."));
        return STATUS_OK;
    }
    watch->current = place;
    text_replace(&watch->verdict, NULL);
    text_replace(&watch->aside, NULL);
    return judge_begin(watch, err);
}

// Goes to an exercise at its first digit, and on to another one if more digits follow.
static enum status digit_do(struct watch *watch, int digit, struct error *err) {
    const struct course *course = watch->app->whole;
    uint64_t now = clock_ms();
    size_t length = now - watch->typed_ms < DIGITS_MS ? strlen(watch->typed) : 0;
    length = length < FOLDER_DIGITS_MAX ? length : 0;
    watch->typed[length] = (char)digit;
    watch->typed[length + 1] = '\0';
    watch->typed_ms = now;
    const struct exercise *exercise = course_numbered(course, watch->typed);
    if (!exercise && digit != '0') {
        watch->typed[0] = (char)digit;
        watch->typed[1] = '\0';
        exercise = course_numbered(course, watch->typed);
    }
    return exercise ? exercise_go(watch, (int)(exercise - course->exercises), err) : STATUS_OK;
}

// Enter: back from a hint, else judge again.
static enum status enter_do(struct watch *watch, struct error *err) {
    if (watch->aside) {
        text_replace(&watch->aside, NULL);
        watch->from = 0;
        return STATUS_OK;
    }
    return judge_begin(watch, err);
}

// The page of this result; if it is served, it shows each result by itself.
static enum status page_do(struct watch *watch, struct error *err) {
    if (watch->page.pid == 0) {
        return notice_show(watch, page_show, err);
    }
    notice_say(watch, watch->page.address);
    return STATUS_OK;
}

static void scroll(struct watch *watch, int key) {
    int page = watch->screen.rows > 12 ? watch->screen.rows - 8 : 4;
    watch->from += key == KEYS_UP ? -1 : key == KEYS_DOWN ? 1 : key == KEYS_PAGE_UP ? -page : page;
}

// Stops, as ^Z does elsewhere, together with make.
static void stop(struct watch *watch) {
    screen_close(&watch->screen);
    (void)kill(0, SIGTSTP);
    screen_again(&watch->screen);
}

static enum status key_do(struct watch *watch, int key, struct error *err) {
    watch->notice[0] = '\0';
    if (watch->asks) {
        watch->asks = false;
        return key == 'y' || key == 'Y' ? notice_show(watch, cmd_reset, err) : STATUS_OK;
    }
    if (key >= '0' && key <= '9') {
        return digit_do(watch, key, err);
    }
    switch (key) {
    case 'h':
        return hint_show(watch, err);
    case 'l':
        return aside_show(watch, cmd_list, err);
    case 'p':
        return page_do(watch, err);
    case 'n':
        return exercise_go(watch, next_place(watch), err);
    case 'b':
        return exercise_go(watch, watch->current - 1, err);
    case 'r':
        watch->asks = true;
        break;
    case '?':
        help_show(watch);
        break;
    case '\r':
    case '\n':
        return enter_do(watch, err);
    case ' ':
    case KEYS_UP:
    case KEYS_DOWN:
    case KEYS_PAGE_UP:
    case KEYS_PAGE_DOWN:
        scroll(watch, key);
        break;
    case KEYS_STOP:
        stop(watch);
        break;
    case 'q':
    case 'Q':
    case KEYS_INTERRUPT:
    case KEYS_END:
        watch->quits = true;
        break;
    default:
        break;
    }
    return STATUS_OK;
}

enum status keys_do(struct watch *watch, struct error *err) {
    enum status status = STATUS_OK;
    int key = 0;
    while (!status && !watch->quits && (key = screen_key()) != KEYS_NONE) {
        status = key_do(watch, key, err);
    }
    return status;
}

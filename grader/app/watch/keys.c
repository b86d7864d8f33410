// Keys that show something run a command as an errand and wait for it: that takes milliseconds.
#include "app/watch/keys.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "app/watch/page.h"
#include "app/watch/tasks.h"
#include "base/array.h"
#include "base/translate.h"

// Shows what a command prints.
static enum status aside_show(struct watch *watch, command_body *body, struct error *err) {
    struct options options = *watch->app->options;
    struct app one = *watch->app;
    char *text = NULL;
    int code = 0;
    options.exercise = exercise_now(watch)->name;
    one.options = &options;
    one.course = watch->course;
    if (body == cmd_list) {
        one.course = watch->app->whole;
    }
    enum status status = errand_run(&one, body, manner_of(watch, false), &code, &text, err);
    if (!status) {
        text_replace(&watch->aside, text);
        watch->from = 0;
    }
    return status;
}

// The same on the line for messages: its first line.
static enum status message_show(struct watch *watch, command_body *body, struct error *err) {
    enum status status = aside_show(watch, body, err);
    if (!status) {
        const char *text = watch->aside ? watch->aside : "";
        (void)snprintf(watch->message, sizeof watch->message, "%.*s", (int)strcspn(text, "\n"),
                       text);
        text_replace(&watch->aside, NULL);
    }
    return status;
}

static void help_show(struct watch *watch) {
    static const char *const lines[] = {
        N_("Each save in student/ is judged, and this screen shows the verdict.\n"),
        "\n",
        N_("  h   the next hint for this exercise\n"),
        N_("  n   the next exercise;  b  the one before;  1 to 9  that exercise\n"),
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
    for (size_t i = 0; i < COUNT(lines); i++) {
        text_append(&watch->aside, lines[i][0] == '\n' ? lines[i] : _(lines[i]));
    }
    watch->from = 0;
}

static enum status exercise_go(struct watch *watch, int place, struct error *err) {
    if (place < 0 || place >= watch->app->whole->exercise_count) {
        (void)snprintf(watch->message, sizeof watch->message, "%s",
                       place < 0 ? _("This is the first exercise.")
                                 : _("This is the last exercise."));
        return STATUS_OK;
    }
    watch->current = place;
    text_replace(&watch->verdict, NULL);
    text_replace(&watch->aside, NULL);
    return judge_begin(watch, err);
}

static enum status number_go(struct watch *watch, int number, struct error *err) {
    for (int i = 0; i < watch->app->whole->exercise_count; i++) {
        if (watch->app->whole->exercises[i].number == number) {
            return exercise_go(watch, i, err);
        }
    }
    return STATUS_OK;
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
        return message_show(watch, page_show, err);
    }
    (void)snprintf(watch->message, sizeof watch->message, "%s", watch->page.address);
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
    if (watch->asks) {
        watch->asks = false;
        return key == 'y' || key == 'Y' ? message_show(watch, cmd_reset, err) : STATUS_OK;
    }
    if (key >= '1' && key <= '9') {
        return number_go(watch, key - '0', err);
    }
    switch (key) {
    case 'h':
        return aside_show(watch, cmd_hint, err);
    case 'l':
        return aside_show(watch, cmd_list, err);
    case 'p':
        return page_do(watch, err);
    case 'n':
        return exercise_go(watch, watch->current + 1, err);
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

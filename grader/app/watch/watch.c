// `tilegrade watch`: each saved kernel is judged and drawn immediately.
//
// The loop waits for four things: a save, a key, the end of the process that judges, and a signal.
// All judging happens in an errand (tasks.h), so that a save can cut it short. Keys that show
// something run a command as an errand and wait for it: that takes milliseconds. The picture is
// made again after each event; the screen writes it only if it has changed.
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "app/commands/commands.h"
#include "app/standing.h"
#include "app/terminal/terminal.h"
#include "app/watch/page.h"
#include "app/watch/tasks.h"
#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"

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
    FILE *out = xopen_memstream(&text, &bytes);
    state_print(out, watch);
    bar_print(out, watch);
    (void)fputs(keys_text(watch), out);
    xclose_memstream(out, &text);
    return text;
}

static void watch_draw(struct watch *watch) {
    const struct exercise *exercise = exercise_now(watch);
    char head[TITLE_BYTES_MAX + 2 * NAME_BYTES_MAX + 320];
    const char *body = watch->aside ? watch->aside : watch->verdict ? watch->verdict : "";
    if (!watch->screen.is_drawn) {
        return;
    }
    char *foot = foot_make(watch);
    (void)snprintf(head, sizeof head, "%s%s%s  student/%s.cu\n%s%s\n",
                   watch->screen.colors ? "\033[1m" : "", exercise_title(exercise),
                   watch->screen.colors ? "\033[0m" : "", exercise->name, watch->page.address,
                   watch->page.pid > 0 ? "\n" : "");
    struct picture picture = {.head = head, .body = body, .from = watch->from, .foot = foot};
    screen_draw(&watch->screen, &picture);
    watch->from = picture.from;
    free(foot);
}

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

// The next hint, after those that are already shown.
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

// Goes to an exercise at its first digit, and then to another one if more digits follow.
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

// Opens the page of this result.  A served page updates itself with each result, so that only its
// address is shown.
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

// Carries out the keys that were pressed.
static enum status keys_do(struct watch *watch, struct error *err) {
    enum status status = STATUS_OK;
    int key = 0;
    while (!status && !watch->quits && (key = screen_key()) != KEYS_NONE) {
        status = key_do(watch, key, err);
    }
    return status;
}

#define SETTLE_MS 40    // an editor may write a file in several steps
#define RESIZE_MS 200   // a window is resized in many steps
#define LOOK_MS   1000  // interval of checking a file whose saves are not reported

static int signals_open(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCHLD};
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        (void)sigaddset(&set, numbers[i]);
    }
    (void)signal(SIGCHLD, SIG_DFL);  // a parent may ignore it, and then no end could be seen
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

static void later(struct watch *watch, int milliseconds) {
    watch->due_ms = (int64_t)clock_ms() + milliseconds;
}

static void signals_do(struct watch *watch, int signals) {
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGWINCH) {
            int width = terminal_width(watch->screen.columns);
            (void)screen_measure(&watch->screen);
            if (terminal_width(watch->screen.columns) != width) {
                later(watch, RESIZE_MS);  // the text is wrapped again
            }
        } else if (info.ssi_signo != SIGCHLD) {
            watch->signal = (int)info.ssi_signo;
        }
    }
}

static void saves_do(struct watch *watch) {
    int saved = saves_take(&watch->saves);
    if (saved >= 0) {
        watch->current = saved;
        later(watch, SETTLE_MS);
    } else if (watch->due_ms == 0 && saves_missed(&watch->saves, exercise_now(watch))) {
        later(watch, SETTLE_MS);
    }
}

// The time until something is due.
static int wait_of(const struct watch *watch) {
    int64_t left = watch->due_ms - (int64_t)clock_ms();
    return watch->due_ms == 0 || left > LOOK_MS ? LOOK_MS : left > 0 ? (int)left : 0;
}

static enum status watch_loop(struct watch *watch, int signals, struct error *err) {
    enum status status = judge_begin(watch, err);
    while (!status && !watch->quits && watch->signal == 0) {
        struct pollfd sources[] = {
            {.fd = signals, .events = POLLIN},
            {.fd = watch->saves.inotify, .events = POLLIN},
            {.fd = watch->screen.is_drawn ? STDIN_FILENO : -1, .events = POLLIN}};
        watch_draw(watch);
        if (poll(sources, COUNT(sources), wait_of(watch)) < 0 && errno != EINTR) {
            return fail_errno(err, STATUS_SYSTEM, "cannot wait for a save");
        }
        signals_do(watch, signals);
        saves_do(watch);
        status = errand_look(watch, err);
        if (!status && sources[2].revents != 0) {
            status = keys_do(watch, err);
        }
        if (!status && watch->due_ms != 0 && (int64_t)clock_ms() >= watch->due_ms) {
            status = judge_begin(watch, err);
        }
    }
    return status;
}

// The named exercise, else the one where the student left off; 0 for a program.
static int place_begin(const struct app *app) {
    if (app->options->file) {
        return 0;
    }
    if (app->options->exercise) {
        const struct exercise *named = course_find(app->whole, app->course->exercises[0].name);
        return (int)(named - app->whole->exercises);
    }
    struct progress_made made = progress_made(app->places, app->whole);
    return made.current < 0 ? 0 : made.current;
}

// Watches until a key or a signal ends it.
static enum status watch_run(struct watch *watch, char *const *file, struct error *err) {
    int signals = signals_open();
    if (signals < 0) {
        return fail(err, STATUS_SYSTEM, "cannot wait for signals");
    }
    saves_open(watch->app->places, watch->app->whole, file, &watch->saves);
    if (!file) {  // else the program has the terminal
        screen_open(&watch->screen);
        stream_say(watch, _("Each save in student/ is judged. This is not a terminal with keys: "
                            "^C ends.\n\n"));
    }
    if (watch->page.pid > 0) {
        stream_say(watch, watch->page.address);
        stream_say(watch, "\n\n");
    }
    enum status status = watch_loop(watch, signals, err);
    screen_close(&watch->screen);
    errand_stop(&watch->errand);
    saves_close(&watch->saves);
    (void)close(signals);
    return status;
}

enum status cmd_watch(const struct app *app, enum exit_code *ret_code, struct error *err) {
    struct watch watch = {
        .app = app, .errand = ERRAND_NONE, .page = PAGE_SERVER_NONE, .current = place_begin(app)};
    const struct options *options = app->options;
    char *text = NULL;
    char **file = options->file ? words_of(options->file, NULL, &text) : NULL;
    enum status status = STATUS_OK;
    watch.course = xcalloc(1, sizeof *watch.course);
    if (!file && (options->flags || options->args || options->after)) {
        status = fail(err, STATUS_BAD_USAGE, "name the program's file, as in FILE=prog.cu");
    } else if (file &&
               (options->exercise || options->size.m > 0 || options->has_seed || options->page)) {
        status = fail(err, STATUS_BAD_USAGE,
                      "FILE names a program: EX, SIZE, SEED and PAGE are for exercises alone");
    }
    // Before signals are blocked, which a browser would inherit.
    if (!status && options->page) {
        status = page_server_open(app, &watch.page, err);
    }
    if (!status) {
        status = watch_run(&watch, file, err);
    }
    free(file);
    free(text);
    page_server_close(&watch.page);
    free(watch.course);
    free(watch.verdict);
    free(watch.aside);
    *ret_code = watch.signal != 0 ? (enum exit_code)(128 + watch.signal) : EXIT_ALL_WELL;
    return status;
}

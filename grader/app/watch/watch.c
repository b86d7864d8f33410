// `tilegrade watch`: each save of a kernel is judged and drawn at once.
//
// The loop waits for four things: a save, a key, the end of the process that judges, and a signal.
// All judging happens in an errand (errand.h), so that a save can cut it short.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "app/commands/command.h"
#include "app/standing.h"
#include "app/terminal/terminal.h"
#include "app/watch/keys.h"
#include "app/watch/tasks.h"
#include "app/watch/view.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/translate.h"

#define SETTLE_MS 40    // an editor may write a file in several steps
#define RESIZE_MS 200   // a window is resized in many steps
#define LOOK_MS   1000  // how often a file is looked at whose saves are not reported

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

// How long nothing is due.
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

// The exercise that is named, else the one where the student left off.
static int place_begin(const struct app *app) {
    if (app->options->exercise) {
        const struct exercise *named = course_find(app->whole, app->course->exercises[0].name);
        return (int)(named - app->whole->exercises);
    }
    struct progress_made made = progress_made(app->places, app->whole);
    return made.current < 0 ? 0 : made.current;
}

// Watches until a key or a signal ends it.
static enum status watch_run(struct watch *watch, struct error *err) {
    int signals = signals_open();
    if (signals < 0) {
        return fail(err, STATUS_SYSTEM, "cannot wait for signals");
    }
    saves_open(watch->app->places, watch->app->whole, &watch->saves);
    screen_open(&watch->screen);
    stream_say(watch, _("Each save in student/ is judged. This is not a terminal with keys: ^C "
                        "ends.\n\n"));
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
    enum status status = STATUS_OK;
    watch.course = calloc(1, sizeof *watch.course);
    if (!watch.course) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    // Before signals are blocked, which a browser would inherit.
    if (app->options->page) {
        status = page_server_open(app, &watch.page, err);
    }
    if (!status) {
        status = watch_run(&watch, err);
    }
    page_server_close(&watch.page);
    free(watch.course);
    free(watch.verdict);
    free(watch.aside);
    *ret_code = watch.signal != 0 ? (enum exit_code)(128 + watch.signal) : EXIT_ALL_WELL;
    return status;
}

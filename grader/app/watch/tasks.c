// An errand is a fork, so it already has the course in memory.  Its output goes into files in
// memory: no pipe can fill up, and nothing has to be read while it runs.  A save cuts short the
// running task, so at most one task runs at a time.
#include "app/watch/tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/commands/judging.h"
#include "app/standing.h"
#include "app/supervise.h"
#include "app/terminal/terminal.h"
#include "app/terminal/terminal_text.h"
#include "app/watch/screen.h"
#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "judge/judge.h"

#define OUTPUT_MAX (1 << 20)  // bytes that are shown

// The signals that the watching program handles itself.
static void signals_default(void) {
    static const int numbers[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCHLD,
                                  SIGABRT, SIGSEGV, SIGBUS, SIGFPE,  SIGILL,   SIGPIPE};
    sigset_t none;
    for (size_t i = 0; i < COUNT(numbers); i++) {
        (void)signal(numbers[i], SIG_DFL);
    }
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void child_run(const struct app *app, command_body *body,
                                struct errand_manner manner, const struct errand *errand,
                                pid_t parent) {
    struct error err = {.text = ""};
    enum exit_code code = EXIT_HARNESS;
    screen_disown();
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    signals_default();
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent || dup2(nothing, 0) < 0 ||
        (!manner.direct && (dup2(errand->out, 1) < 0 || dup2(errand->errors, 2) < 0))) {
        _exit(EXIT_HARNESS);
    }
    if (!manner.direct) {
        terminal_pretend(manner.columns, manner.colors, manner.keys);
    }
    enum status status = manner.scratch ? supervise(_("interrupted"), &err) : STATUS_OK;
    status = status ? status : body(app, &code, &err);
    if (status) {
        terminal_error(err.text);
    }
    (void)fflush(NULL);
    _exit(status ? status_exit_code(status) : (int)code);
}

// Begins `body`, whose output is text for a terminal with these properties.  The process and all
// that it starts end when this program ends in any way.
// Errors: STATUS_SYSTEM.
static enum status errand_start(const struct app *app, command_body *body,
                                struct errand_manner manner, struct errand *errand,
                                struct error *err) {
    pid_t parent = getpid();
    struct errand begun = ERRAND_NONE;
    (void)fflush(NULL);
    begun.out = memfd_create("output", MFD_CLOEXEC);
    begun.errors = memfd_create("errors", MFD_CLOEXEC);
    begun.begun_ms = clock_ms();
    begun.pid = begun.out < 0 || begun.errors < 0 ? -1 : fork();
    if (begun.pid == 0) {
        child_run(app, body, manner, &begun, parent);
    }
    if (begun.pid < 0) {
        enum status status = fail_errno(err, STATUS_SYSTEM, "cannot start a process");
        fd_close(&begun.out);
        fd_close(&begun.errors);
        return status;
    }
    *errand = begun;
    return STATUS_OK;
}

static int state_wait(struct errand *errand) {
    int state = 0;
    while (waitpid(errand->pid, &state, 0) < 0 && errno == EINTR) {
    }
    return state;
}

static void errand_forget(struct errand *errand) {
    fd_close(&errand->out);
    fd_close(&errand->errors);
    *errand = ERRAND_NONE;
}

void errand_stop(struct errand *errand) {
    if (errand->pid > 0) {
        (void)kill(errand->pid, SIGTERM);
        (void)state_wait(errand);
        errand_forget(errand);
    }
}

static size_t bytes_of(int fd) {
    struct stat info;
    bool known = fstat(fd, &info) == 0 && info.st_size > 0;
    return !known ? 0 : info.st_size < OUTPUT_MAX ? (size_t)info.st_size : OUTPUT_MAX;
}

// The text written to out, followed by the text written to errors if they count.
static char *text_take(const struct errand *errand, bool failed) {
    size_t bytes = bytes_of(errand->out);
    size_t more = failed ? bytes_of(errand->errors) : 0;
    char *text = xcalloc(1, bytes + more + 1);
    if (pread(errand->out, text, bytes, 0) != (ssize_t)bytes ||
        pread(errand->errors, text + bytes, more, 0) != (ssize_t)more) {
        text[0] = '\0';
    }
    return text;
}

static void end_take(struct errand *errand, int state, int *ret_code, char **ret_text) {
    *ret_code = WIFEXITED(state) ? WEXITSTATUS(state) : EXIT_HARNESS;
    *ret_text = text_take(errand, *ret_code > EXIT_KERNELS);
    errand_forget(errand);
}

// True if it has ended: *ret_code is its exit code, *ret_text its output, and with an exit code of
// 2 or more also the reason.
// Owns: the caller frees *ret_text.
static bool errand_ended(struct errand *errand, int *ret_code, char **ret_text) {
    int state = 0;
    if (errand->pid <= 0 || waitpid(errand->pid, &state, WNOHANG) != errand->pid) {
        return false;
    }
    end_take(errand, state, ret_code, ret_text);
    return true;
}

enum status errand_run(const struct app *app, command_body *body, struct errand_manner manner,
                       int *ret_code, char **ret_text, struct error *err) {
    struct errand errand = ERRAND_NONE;
    enum status status = errand_start(app, body, manner, &errand, err);
    if (!status) {
        end_take(&errand, state_wait(&errand), ret_code, ret_text);
    }
    return status;
}

#define NUMBER_BYTES 32  // of a number with commas

static void block_print(const struct app *app, const struct judgement *judgement) {
    struct terminal terminal = terminal_of(stdout, "student", "");
    const struct exercise_result *result = &judgement->exercises[0];
    terminal.root = app->places->root;
    terminal_exercise(&terminal, result);
    const char *learned = exercise_learned(result->exercise);
    if (result->verdict == VERDICT_PASS && learned[0] != '\0') {
        terminal_wrap(&terminal, 2, learned);
        (void)putchar('\n');
    }
}

enum status verdict_judge(const struct app *app, enum exit_code *ret_code, struct error *err) {
    return test_run(app, block_print, ret_code, err);
}

// "16,777,216", as in the tables of the lessons.
static void number_format(uint64_t number, char text[NUMBER_BYTES]) {
    char digits[NUMBER_BYTES];
    int count = snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (int i = 0; i < count; i++) {
        *text++ = digits[i];
        if (i + 1 < count && (count - i - 1) % 3 == 0) {
            *text++ = ',';
        }
    }
    *text = '\0';
}

static void row_print(const struct terminal *terminal, const char *name, uint64_t mine,
                      uint64_t theirs) {
    char yours[NUMBER_BYTES];
    char reference[NUMBER_BYTES];
    if (mine > 0 || theirs > 0) {
        number_format(mine, yours);
        number_format(theirs, reference);
        (void)fprintf(terminal->out, "    %-23s %14s %14s\n", name, yours, reference);
    }
}

// The counters that lessons explain, under the names used there.
static void rows_print(const struct terminal *terminal, const struct counts *mine,
                       const struct counts *theirs) {
#define ROW(field) row_print(terminal, #field, mine->field, theirs->field)
    ROW(global_load_requests);
    ROW(global_load_sectors);
    ROW(global_store_requests);
    ROW(global_store_sectors);
    ROW(shared_load_requests);
    ROW(shared_load_wavefronts);
    ROW(shared_load_ideal);
    ROW(shared_store_wavefronts);
#undef ROW
}

static void comparison_print(const struct judgement *judgement) {
    struct terminal terminal = terminal_of(stdout, "student", "");
    const struct exercise_result *result = &judgement->exercises[0];
    const struct speed_result *speed = result->speed.list;
    char size[SIZE_TEXT_MAX];
    char text[256];
    if (result->verdict != VERDICT_PASS || result->speed.count == 0 || !speed->counted) {
        return;
    }
    size_format(speed->size, size);
    (void)snprintf(text, sizeof text, _("Counted at %s"), size);
    (void)fputs("  ", stdout);
    terminal_left(&terminal, text, 25);
    (void)putchar(' ');
    terminal_right(&terminal, _("yours"), 14);
    (void)putchar(' ');
    terminal_right(&terminal, _("reference"), 14);
    (void)putchar('\n');
    rows_print(&terminal, &speed->counts, &speed->reference_counts);
    if (speed->verdict != SPEED_FAST && speed->metric_line > 0) {
        (void)snprintf(text, sizeof text, _("Most of the excess is at line %" PRIu32 "."),
                       speed->metric_line);
        terminal_wrap(&terminal, 2, text);
    }
    (void)putchar('\n');
}

enum status verdict_compare(const struct app *app, enum exit_code *ret_code, struct error *err) {
    struct options options = *app->options;
    struct app counting = *app;
    struct judging judging = JUDGING_CLOSED;
    struct judgement *judgement = NULL;
    options.device = CHOICE_EMU;
    counting.options = &options;
    enum status status = judging_open(&counting, NULL, NULL, &judging, err);
    if (!status) {
        judging.options.seed = PUBLIC_SEED;
        judging.options.extras.speed = true;
        judging.options.extras.no_references = !app->course->has_references;
        status = judging_run(&counting, &judging, &judgement, err);
    }
    if (!status) {
        comparison_print(judgement);
        *ret_code = EXIT_ALL_WELL;
    }
    judgement_free(judgement);
    judging_close(&judging);
    return status;
}

const struct exercise *exercise_now(const struct watch *watch) {
    return &watch->app->whole->exercises[watch->current];
}

bool watch_has_program(const struct watch *watch) {
    return watch->app->options->file != NULL;
}

struct errand_manner manner_of(const struct watch *watch, bool scratch) {
    return (struct errand_manner){.columns = terminal_width(watch->screen.columns),
                                  .colors = watch->screen.colors,
                                  .keys = watch->screen.is_drawn,
                                  .scratch = scratch,
                                  .direct = watch_has_program(watch)};
}

void text_replace(char **text, char *with) {
    free(*text);
    *text = with;
}

void text_append(char **text, const char *more) {
    size_t used = *text ? strlen(*text) : 0;
    *text = xrealloc(*text, used + strlen(more) + 1);
    memcpy(*text + used, more, strlen(more) + 1);
}

void stream_say(const struct watch *watch, const char *text) {
    if (!watch->screen.is_drawn) {
        (void)fputs(text, stdout);
        (void)fflush(stdout);
    }
}

#define NOTICE_MS 2000  // a key such as r may cause a save, which must not remove its notice

// A message, with the time of day, so that a student sees that this save was noticed.
static void moment_say(struct watch *watch, uint64_t took_ms) {
    time_t now = time(NULL);
    struct tm local;
    char clock[16] = "";
    if (localtime_r(&now, &local)) {
        (void)strftime(clock, sizeof clock, "%H:%M:%S", &local);
    }
    (void)snprintf(watch->message, sizeof watch->message,
                   watch_has_program(watch)
                       ? _("%s  ran in %.1f s. Each save runs it again; ^C ends.\n")
                       : _("%s  judged in %.1f s"),
                   clock, (double)took_ms / 1000);
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
    if (watch_has_program(watch)) {
        // The verdict of the last save goes out of sight, so that it is not taken for this one's.
        stream_say(watch, stream_obeys(stdout) ? "\033[H\033[2J" : "");
    }
    return task_begin(watch, TASK_JUDGE, watch_has_program(watch) ? cmd_run : verdict_judge, err);
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

// The text after a pass.
static void next_append(struct watch *watch) {
    char text[PATH_BYTES_MAX + TITLE_BYTES_MAX];
    char *line = NULL;
    size_t bytes = 0;
    FILE *out = xopen_memstream(&line, &bytes);
    struct terminal terminal = {.out = out, .columns = terminal_width(watch->screen.columns)};
    int next = open_find(watch);
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
    xclose_memstream(out, &line);
    text_append(&watch->verdict, line);
    stream_say(watch, line);
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
    if (watch_has_program(watch)) {
        stream_say(watch, watch->message);
        return STATUS_OK;
    }
    stream_say(watch, text);
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

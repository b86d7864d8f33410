// The process is a fork, so it has the course as it was read.  Its output goes into files in
// memory: no pipe can fill up, and nothing has to be read while it runs.
#include "app/watch/errand.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/supervise.h"
#include "app/terminal/terminal.h"
#include "app/watch/screen.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/translate.h"

#define OUTPUT_MAX (1 << 20)  // bytes that are shown

// The signals that the program which watches treats in its own way.
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
        dup2(errand->out, 1) < 0 || dup2(errand->errors, 2) < 0) {
        _exit(EXIT_HARNESS);
    }
    terminal_pretend(manner.columns, manner.colors, manner.keys);
    enum status status = manner.scratch ? supervise(_("interrupted"), &err) : STATUS_OK;
    status = status ? status : body(app, &code, &err);
    if (status) {
        terminal_error(err.text);
    }
    (void)fflush(NULL);
    _exit(status ? status_exit_code(status) : (int)code);
}

enum status errand_start(const struct app *app, command_body *body, struct errand_manner manner,
                         struct errand *errand, struct error *err) {
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

// What was written to out, and then to errors if they count.
static char *text_take(const struct errand *errand, bool failed) {
    size_t bytes = bytes_of(errand->out);
    size_t more = failed ? bytes_of(errand->errors) : 0;
    char *text = calloc(1, bytes + more + 1);
    if (text && (pread(errand->out, text, bytes, 0) != (ssize_t)bytes ||
                 pread(errand->errors, text + bytes, more, 0) != (ssize_t)more)) {
        text[0] = '\0';
    }
    return text;
}

static void end_take(struct errand *errand, int state, int *ret_code, char **ret_text) {
    *ret_code = WIFEXITED(state) ? WEXITSTATUS(state) : EXIT_HARNESS;
    *ret_text = text_take(errand, *ret_code > EXIT_KERNELS);
    errand_forget(errand);
}

bool errand_ended(struct errand *errand, int *ret_code, char **ret_text) {
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

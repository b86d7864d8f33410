// Python makes the page in a separate process, so that no fault of a report affects the judging
// program; and the desktop opens it.
#include "app/watch/page.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/standing.h"
#include "app/terminal/terminal.h"
#include "app/watch/tasks.h"
#include "base/file.h"
#include "base/words.h"

extern char **environ;

int python_wait(char *const argv[]) {
    pid_t child = 0;
    int state = 0;
    (void)fflush(stdout);
    if (posix_spawn(&child, argv[0], NULL, NULL, argv, environ) != 0) {
        return -1;
    }
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

// The program that opens a page here; NULL: there is no desktop.
static const char *opener(void) {
    if (getenv("WSL_DISTRO_NAME")) {
        return "wslview";
    }
    const char *display = getenv("DISPLAY");
    const char *wayland = getenv("WAYLAND_DISPLAY");
    return (display && *display != '\0') || (wayland && *wayland != '\0') ? "xdg-open" : NULL;
}

// Starts the opener in a separate session, without output, and does not wait for it: a browser may
// keep running.
static bool page_open(char *path) {
    const char *program = opener();
    char name[16];
    char *argv[] = {name, path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child = 0;
    if (!program || posix_spawn_file_actions_init(&actions) != 0) {
        return false;
    }
    (void)snprintf(name, sizeof name, "%s", program);
    for (int fd = 0; fd < 3; fd++) {
        (void)posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    }
    bool started = posix_spawnattr_init(&attributes) == 0;
    if (started) {
        (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
        started = posix_spawnp(&child, name, &actions, &attributes, argv, environ) == 0;
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return started;
}

enum status page_show(const struct app *app, enum exit_code *ret_code, struct error *err) {
    char program[PATH_BYTES_MAX];
    char result[PATH_BYTES_MAX];
    char folder[PATH_BYTES_MAX];
    char page[PATH_BYTES_MAX];
    char python[] = PYTHON;
    char format[] = "html";
    enum status status = path_make(program, err, "%s/../report/report.py", app->places->templates);
    if (!status) {
        status = place_make(app->places, folder, err, "build/test");
    }
    if (!status) {
        status = path_make(result, err, "%s/result.json", folder);
    }
    if (!status) {
        status = path_make(page, err, "%s/report.html", folder);
    }
    if (status) {
        return status;
    }
    char *argv[] = {python, program, format, result, folder, NULL};
    if (python_wait(argv) != 0) {  // which has printed the reason or, on success, the page's
                                   // path
        return fail(err, STATUS_SYSTEM, "%s: the page could not be made", page);
    }
    if (!page_open(page)) {
        struct terminal terminal = terminal_of(stdout, "", "");
        terminal_wrap(&terminal, 0,
                      _("No desktop is known here: open this file in a browser, or copy it to a "
                        "machine that has one."));
    }
    *ret_code = EXIT_ALL_WELL;
    return STATUS_OK;
}

// Starts Python with a pipe at both ends.
static enum status server_start(char *const argv[], struct page_server *server, struct error *err) {
    int input[2] = {-1, -1};
    int output[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    bool started = pipe2(input, O_CLOEXEC) == 0 && pipe2(output, O_CLOEXEC) == 0 &&
                   posix_spawn_file_actions_init(&actions) == 0;
    if (started) {
        (void)posix_spawn_file_actions_adddup2(&actions, input[0], 0);
        (void)posix_spawn_file_actions_adddup2(&actions, output[1], 1);
        started = posix_spawn(&server->pid, argv[0], &actions, NULL, argv, environ) == 0;
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    fd_close(&input[0]);
    fd_close(&output[1]);
    server->input = input[1];
    server->output = output[0];
    server->pid = started ? server->pid : 0;
    return started ? STATUS_OK : fail(err, STATUS_SYSTEM, "%s: cannot be started", argv[0]);
}

// The line that the server prints when it is ready; "" if it has ended instead.
static void address_read(struct page_server *server) {
    FILE *lines = fdopen(dup(server->output), "r");
    if (!lines || !fgets(server->address, sizeof server->address, lines)) {
        server->address[0] = '\0';
    }
    server->address[strcspn(server->address, "\n")] = '\0';
    if (lines) {
        (void)fclose(lines);
    }
}

enum status page_server_open(const struct app *app, struct page_server *server, struct error *err) {
    char program[PATH_BYTES_MAX];
    char result[PATH_BYTES_MAX];
    char python[] = PYTHON;
    char *argv[] = {python, program, result, NULL};
    enum status status =
        path_make(program, err, "%s/../report/live/serve.py", app->places->templates);
    if (!status) {
        status = place_make(app->places, result, err, "build/test/result.json");
    }
    if (!status) {
        status = server_start(argv, server, err);
    }
    if (!status) {
        address_read(server);
        if (server->address[0] == '\0') {
            status = fail(err, STATUS_SYSTEM, "the page cannot be served: %s has ended", program);
        }
    }
    if (!status) {
        (void)page_open(server->address);
    }
    return status;
}

void page_server_close(struct page_server *server) {
    fd_close(&server->input);
    fd_close(&server->output);
    while (server->pid > 0 && waitpid(server->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    *server = PAGE_SERVER_NONE;
}

enum status cmd_show(const struct app *app, enum exit_code *ret_code, struct error *err) {
    struct terminal terminal = terminal_of(stdout, "", "");
    struct progress_made made = progress_made(app->places, app->whole);
    int current = made.current < 0 ? 0 : made.current;
    const char *name = app->options->exercise ? app->course->exercises[0].name
                                              : app->whole->exercises[current].name;
    struct course course = *app->whole;
    struct app one = *app;
    int code = 0;
    char *text = NULL;
    enum status status = course_narrow(&course, name, err);
    one.course = &course;
    if (!status) {
        status =
            errand_run(&one, verdict_judge,
                       (struct errand_manner){
                           .columns = terminal.columns, .colors = terminal.colors, .scratch = true},
                       &code, &text, err);
    }
    if (status) {
        return status;
    }
    (void)fputs(text ? text : "", stdout);
    free(text);
    if (code > EXIT_KERNELS) {
        *ret_code = (enum exit_code)code;
        return STATUS_OK;
    }
    return page_show(app, ret_code, err);
}

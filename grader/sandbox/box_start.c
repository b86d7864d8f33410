// Starts a program in a box: what it is, its environment, its layers, its pipes.
#include "sandbox/box.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/language.h"
#include "sandbox/box_parts.h"
#include "sandbox/child.h"
#include "sandbox/landlock.h"

#define ENVIRONMENT_MAX 32

static enum status program_find(const char *name, char path[PATH_BYTES_MAX], struct error *err) {
    static const char *const folders[] = {"/usr/local/bin", "/usr/bin", "/bin"};
    if (strchr(name, '/')) {
        if (access(name, X_OK) != 0) {
            return fail_errno(err, STATUS_UNAVAILABLE, "%s: cannot be run", name);
        }
        int length = snprintf(path, PATH_BYTES_MAX, "%s", name);
        return length < PATH_BYTES_MAX ? STATUS_OK
                                       : fail(err, STATUS_UNAVAILABLE, "%.80s…: too long", name);
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        int length = snprintf(path, PATH_BYTES_MAX, "%s/%s", folders[i], name);
        if (length < PATH_BYTES_MAX && access(path, X_OK) == 0) {
            return STATUS_OK;
        }
    }
    return fail(err, STATUS_UNAVAILABLE, "%s: no such program in /usr/local/bin or /usr/bin", name);
}

// "NAME=value" of our own environment, NULL where it is not set.
static const char *variable_find(const char *name) {
    size_t length = strlen(name);
    for (char **at = environ; at && *at; at++) {
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=') {
            return *at;
        }
    }
    return NULL;
}

// The whole environment: nothing is inherited but what the command names.  `tmpdir` is storage for
// one of the strings.
static enum status environment_make(const struct box_command *command, char tmpdir[PATH_BYTES_MAX],
                                    const char *environment[ENVIRONMENT_MAX], struct error *err) {
    int count = 0;
    environment[count++] = "PATH=/usr/local/bin:/usr/bin:/bin";
    environment[count++] = "LC_ALL=C";
    int length = snprintf(tmpdir, PATH_BYTES_MAX, "TMPDIR=%s",
                          command->folder ? command->folder : "/nonexistent");
    if (length >= PATH_BYTES_MAX) {
        return fail(err, STATUS_SYSTEM, "%.80s…: the path is too long", command->folder);
    }
    environment[count++] = tmpdir;
    const char *language = variable_find(LANGUAGE_VARIABLE);
    if (language && command->profile != PROFILE_KERNEL) {
        environment[count++] = language;
    }
    for (int i = 0; command->passed && command->passed[i]; i++) {
        const char *variable = variable_find(command->passed[i]);
        assert(count < ENVIRONMENT_MAX - 1);
        if (variable) {
            environment[count++] = variable;
        }
    }
    environment[count] = NULL;
    return STATUS_OK;
}

// Reads what the child says of its exec: nothing at all where it worked, as the pipe closes with
// it.
static enum status start_confirm(struct box *box, const char *path, int report_fd,
                                 struct error *err) {
    struct child_failure failure;
    ssize_t got;
    do {
        got = read(report_fd, &failure, sizeof failure);
    } while (got < 0 && errno == EINTR);
    if (got == 0) {
        return STATUS_OK;
    }
    box_kill(box);
    if (got != (ssize_t)sizeof failure) {
        return fail(err, STATUS_SYSTEM, "%s: could not be started", path);
    }
    failure.what[sizeof failure.what - 1] = '\0';
    bool absent = failure.number == ENOENT || failure.number == EACCES || failure.number == ENOEXEC;
    enum status status =
        absent && strcmp(failure.what, "exec") == 0 ? STATUS_UNAVAILABLE : STATUS_SYSTEM;
    return fail(err, status, "%s: could not be started (%s): %s", path, failure.what,
                strerror(failure.number));
}

// Whoever started us may have told the kernel to forget our children; then no exit code would ever
// be seen.
static void children_remember(void) {
    struct sigaction action;
    if (sigaction(SIGCHLD, NULL, &action) == 0 &&
        (action.sa_handler == SIG_IGN || (action.sa_flags & SA_NOCLDWAIT))) {
        (void)signal(SIGCHLD, SIG_DFL);
    }
}

static enum status box_fork(struct box *box, struct child_plan *plan, struct error *err) {
    int report[2] = {-1, -1};
    int output[2] = {-1, -1};
    enum status status = STATUS_OK;
    if (pipe2(report, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0 ||
        fcntl(output[0], F_SETFL, O_NONBLOCK) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "cannot make a pipe");
        goto out;
    }
    plan->output_fd = output[1];
    plan->report_fd = report[1];
    plan->report_read_fd = report[0];
    children_remember();
    box->pid = child_fork(plan);
    if (box->pid < 0) {
        status = fail_errno(err, STATUS_SYSTEM, "cannot start a process");
        goto out;
    }
    if (box->limits.wall_ms != 0) {
        box->deadline_ms = box_now_ms() + box->limits.wall_ms;
    }
    box_close_fd(&report[1]);
    box->output_fd = output[0];
    output[0] = -1;
    box->pid_fd = (int)syscall(SYS_pidfd_open, box->pid, 0);
    if (box->pid_fd < 0 || fcntl(box->pid_fd, F_SETFD, FD_CLOEXEC) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "cannot watch a process");
        goto out;
    }
    status = start_confirm(box, plan->path, report[0], err);

out:
    box_close_fd(&report[0]);
    box_close_fd(&report[1]);
    box_close_fd(&output[0]);
    box_close_fd(&output[1]);
    return status;
}

// Adds the layers that are on.
static enum status layers_plan(const struct box_command *command, struct root_plan *root,
                               struct child_plan *plan, struct error *err) {
    const struct sandbox *sandbox = command->sandbox;
    if (!sandbox || command->profile == PROFILE_OWN) {
        return STATUS_OK;
    }
    if (sandbox->on[LAYER_NAMESPACES] && command->profile != PROFILE_GPU) {
        plan->namespaces = sandbox->namespaces;
    }
    if (sandbox->on[LAYER_ROOT] && command->profile != PROFILE_GPU) {
        root_list(command->profile, command->folder, command->readable, root);
        if (root->trouble != 0) {
            return fail(err, STATUS_SYSTEM, "a folder for the sandbox cannot be looked at: %s",
                        strerror(root->trouble));
        }
        plan->namespaces |= CLONE_NEWNS;
        plan->root = root;
    }
    if (sandbox->on[LAYER_USER]) {
        plan->uid = sandbox->uid;
    }
    if (sandbox->on[LAYER_SECCOMP]) {
        plan->filter = &sandbox->filter[command->profile];
    }
    if (!sandbox->on[LAYER_LANDLOCK]) {
        return STATUS_OK;
    }
    if (command->profile == PROFILE_GPU) {
        plan->landlock_thread_names = sandbox->landlock_abi;
    }
    return landlock_rules(sandbox->landlock_abi, command->profile, command->folder,
                          command->readable, &plan->landlock_fd, err);
}

enum status box_start(const struct box_command *command, struct box **ret_box, struct error *err) {
    char path[PATH_BYTES_MAX];
    char tmpdir[PATH_BYTES_MAX];
    const char *environment[ENVIRONMENT_MAX];
    struct root_plan root;
    enum status status = program_find(command->argument[0], path, err);
    if (!status) {
        status = environment_make(command, tmpdir, environment, err);
    }
    if (status) {
        return status;
    }
    struct box *box = calloc(1, sizeof *box);
    if (box) {
        *box = (struct box){.pid = -1, .pid_fd = -1, .output_fd = -1, .limits = command->limits};
        box->output = calloc(1, command->limits.output_bytes + 1);
    }
    if (!box || !box->output) {
        free(box);
        return fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    }
    struct child_plan plan = {.path = path,
                              .argument = command->argument,
                              .environment = (char *const *)environment,
                              .folder = command->folder,
                              .descriptor = command->descriptor,
                              .descriptor_count = command->descriptor_count,
                              .limits = &command->limits,
                              .output_fd = -1,
                              .report_fd = -1,
                              .landlock_fd = -1};
    status = layers_plan(command, &root, &plan, err);
    if (!status) {
        status = box_fork(box, &plan, err);
    }
    box_close_fd(&plan.landlock_fd);
    if (status) {
        box_free(box);
        return status;
    }
    *ret_box = box;
    return STATUS_OK;
}

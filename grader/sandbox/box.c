// A program in a box: makes a private folder for it, starts it with its environment, layers and
// pipes, reads its output, notices its end, and kills it with its process group.
//
// Invariant: nothing here waits for the other end of the pipe to close, because a child process
// left behind may keep it open forever. The pidfd shows the end of the program itself.
#include "sandbox/box.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/language.h"
#include "base/memory.h"
#include "sandbox/child.h"

const char *box_scratch_parent(void) {
    const char *folder = getenv("TMPDIR");
    return folder && folder[0] == '/' ? folder : "/tmp";
}

enum status box_scratch_make(const struct sandbox *sandbox, char path[PATH_BYTES_MAX],
                             struct error *err) {
    const char *folder = box_scratch_parent();
    char made[PATH_BYTES_MAX];
    int length = snprintf(made, sizeof made, "%s/tilegrade.XXXXXX", folder);
    if (length >= (int)sizeof made) {
        return fail(err, STATUS_SYSTEM, "%.80s…: the path is too long", folder);
    }
    if (!mkdtemp(made)) {  // mode 700
        return fail_errno(err, STATUS_SYSTEM, "%s: cannot make a folder in it", folder);
    }
    // Still empty, so no other user can have put a link into it.
    if (sandbox && sandbox->on[LAYER_USER] &&
        lchown(made, sandbox->uid, (gid_t)sandbox->uid) != 0) {
        enum status status = fail_errno(err, STATUS_SYSTEM, "%s: cannot change its owner", made);
        (void)rmdir(made);
        return status;
    }
    struct statvfs info;
    if (statvfs(made, &info) == 0 && (info.f_flag & ST_NOEXEC)) {
        (void)rmdir(made);
        return fail(err, STATUS_SYSTEM,
                    "%.200s: programs cannot be run from there, because it is mounted noexec; set "
                    "TMPDIR to another folder",
                    folder);
    }
    memcpy(path, made, sizeof made);
    return STATUS_OK;
}

#define ENVIRONMENT_MAX 32
#define READ_BYTES      4096

struct box {
    pid_t pid;
    int pid_fd;
    int output_fd;
    struct box_limits limits;
    uint64_t deadline_ms;  // of clock_ms; 0: none
    enum box_end end;      // BOX_RUNNING until reaped; killed_for is set before that
    enum box_end killed_for;
    int exit_code;
    uint64_t peak_bytes;
    char *output;  // capacity limits.output_bytes and a NUL, so that reading cannot fail
    size_t output_bytes;
};

// --- Its end -------------------------------------------------------------------------

// Keeps output up to the limit.  Returns false if it exceeds the limit.
static bool output_keep(struct box *box, const char *bytes, size_t count) {
    size_t left = box->limits.output_bytes - box->output_bytes;
    bool fits = count <= left;
    size_t kept = fits ? count : left;
    memcpy(box->output + box->output_bytes, bytes, kept);
    box->output_bytes += kept;
    box->output[box->output_bytes] = '\0';
    return fits;
}

// Reads the available output.  The limit ends this loop if the program never stops writing.
static void output_read(struct box *box) {
    char bytes[READ_BYTES];
    while (box->output_fd >= 0) {
        ssize_t got = read(box->output_fd, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 && errno == EAGAIN) {
            return;
        }
        if (got <= 0) {
            fd_close(&box->output_fd);
        } else if (!output_keep(box, bytes, (size_t)got)) {
            box->killed_for = BOX_OUTPUT_LIMIT;
            fd_close(&box->output_fd);
        }
    }
}

// Returns how the program ended, from its wait status.
static enum box_end end_of(const struct box *box, const siginfo_t *info,
                           const struct rusage *usage) {
    if (box->killed_for != BOX_RUNNING) {
        return box->killed_for;
    }
    if (info->si_code == CLD_EXITED) {
        return BOX_EXITED;
    }
    uint64_t seconds = (uint64_t)usage->ru_utime.tv_sec + (uint64_t)usage->ru_stime.tv_sec;
    bool cpu_used = box->limits.cpu_seconds != 0 && seconds >= box->limits.cpu_seconds;
    if (info->si_status == SIGXCPU || (info->si_status == SIGKILL && cpu_used)) {
        return BOX_CPU_LIMIT;
    }
    return info->si_status == SIGXFSZ ? BOX_OUTPUT_LIMIT : BOX_SIGNALLED;
}

// Each of our limits has its own signal, so a program that died of SIGKILL was killed from outside.
static int exit_code_of(enum box_end end, const siginfo_t *info) {
    if (end == BOX_CPU_LIMIT) {
        return 128 + SIGXCPU;
    }
    if (end == BOX_OUTPUT_LIMIT) {
        return 128 + SIGXFSZ;
    }
    return info->si_code == CLD_EXITED ? info->si_status : 128 + info->si_status;
}

// Kills the group and reaps the program.  The group is killed first: until the program is reaped,
// its process number cannot be reused.
static void box_reap(struct box *box) {
    (void)kill(-box->pid, SIGKILL);
    (void)kill(box->pid, SIGKILL);  // before its setsid it has no process group
    siginfo_t info;
    struct rusage usage;
    memset(&info, 0, sizeof info);
    memset(&usage, 0, sizeof usage);
    int got = 0;
    do {
        got = (int)syscall(SYS_waitid, P_PID, box->pid, &info, WEXITED, &usage);
    } while (got != 0 && errno == EINTR);
    if (got != 0) {  // its end is unknown: neither the program's fault nor one of our limits
        info.si_code = CLD_KILLED;
        info.si_status = SIGKILL;
    }
    output_read(box);
    box->end = end_of(box, &info, &usage);
    box->exit_code = exit_code_of(box->end, &info);
    box->peak_bytes = (uint64_t)usage.ru_maxrss << 10;
    box->pid = -1;
    fd_close(&box->pid_fd);
    fd_close(&box->output_fd);
}

// --- Its start -----------------------------------------------------------------------

static enum status program_find(const char *name, char path[PATH_BYTES_MAX], struct error *err) {
    static const char *const folders[] = {"/usr/local/bin", "/usr/bin", "/bin"};
    if (strchr(name, '/')) {
        if (access(name, X_OK) != 0) {
            return fail_errno(err, STATUS_UNAVAILABLE, "%s: cannot be run", name);
        }
        int length = snprintf(path, PATH_BYTES_MAX, "%s", name);
        return length < PATH_BYTES_MAX
                   ? STATUS_OK
                   : fail(err, STATUS_UNAVAILABLE, "%.80s…: the path is too long", name);
    }
    for (size_t i = 0; i < COUNT(folders); i++) {
        int length = snprintf(path, PATH_BYTES_MAX, "%s/%s", folders[i], name);
        if (length < PATH_BYTES_MAX && access(path, X_OK) == 0) {
            return STATUS_OK;
        }
    }
    return fail(err, STATUS_UNAVAILABLE, "%s: no such program in /usr/local/bin or /usr/bin", name);
}

// "NAME=value" of our own environment, NULL if it is not set.
static const char *variable_find(const char *name) {
    size_t length = strlen(name);
    for (char **at = environ; at && *at; at++) {
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=') {
            return *at;
        }
    }
    return NULL;
}

// Makes the whole environment: the program inherits only what the command names.  `tmpdir` is
// storage for one of the strings.
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

// Reads the child's report of its exec.  If the exec worked, the pipe closes without a report.
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
    box_reap(box);
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

// Our parent may have set SIGCHLD so that the kernel discards the exit codes of our children.
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
        box->deadline_ms = clock_ms() + box->limits.wall_ms;
    }
    fd_close(&report[1]);
    box->output_fd = output[0];
    output[0] = -1;
    box->pid_fd = (int)syscall(SYS_pidfd_open, box->pid, 0);
    if (box->pid_fd < 0 || fcntl(box->pid_fd, F_SETFD, FD_CLOEXEC) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "cannot watch a process");
        goto out;
    }
    status = start_confirm(box, plan->path, report[0], err);

out:
    fd_close(&report[0]);
    fd_close(&report[1]);
    fd_close(&output[0]);
    fd_close(&output[1]);
    return status;
}

// Adds the active layers to the plan.
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
            return fail(err, STATUS_SYSTEM, "the sandbox cannot examine one of its folders: %s",
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
    struct box *box = xcalloc(1, sizeof *box);
    *box = (struct box){.pid = -1, .pid_fd = -1, .output_fd = -1, .limits = command->limits};
    box->output = xcalloc(1, command->limits.output_bytes + 1);
    struct child_plan plan = {.path = path,
                              .argument = command->argument,
                              .environment = (char *const *)environment,
                              .folder = command->folder,
                              .descriptor = command->descriptor,
                              .descriptor_count = command->descriptor_count,
                              .shares_streams = command->shares_streams,
                              .limits = &command->limits,
                              .output_fd = -1,
                              .report_fd = -1,
                              .landlock_fd = -1};
    status = layers_plan(command, &root, &plan, err);
    if (!status) {
        status = box_fork(box, &plan, err);
    }
    fd_close(&plan.landlock_fd);
    if (status) {
        box_free(box);
        return status;
    }
    *ret_box = box;
    return STATUS_OK;
}

// --- While it runs -------------------------------------------------------------------

enum status box_poll(struct box *box, int wait_ms, enum box_end *ret_end, struct error *err) {
    if (box->end != BOX_RUNNING) {
        *ret_end = box->end;
        return STATUS_OK;
    }
    uint64_t now = clock_ms();
    int timeout = wait_ms;
    if (box->deadline_ms != 0) {
        uint64_t left = box->deadline_ms > now ? box->deadline_ms - now : 0;
        timeout = wait_ms < 0 || left < (uint64_t)wait_ms ? (int)left : wait_ms;
    }
    struct pollfd fds[2] = {{.fd = box->pid_fd, .events = POLLIN},
                            {.fd = box->output_fd, .events = POLLIN}};
    if (poll(fds, 2, timeout) < 0 && errno != EINTR) {
        return fail_errno(err, STATUS_SYSTEM, "cannot wait for a process");
    }
    output_read(box);
    bool late = box->deadline_ms != 0 && clock_ms() >= box->deadline_ms;
    bool ended = fds[0].revents != 0;
    if (late && !ended && box->killed_for == BOX_RUNNING) {
        box->killed_for = BOX_WALL_LIMIT;
    }
    if (ended || box->killed_for != BOX_RUNNING) {
        box_reap(box);
    }
    *ret_end = box->end;
    return STATUS_OK;
}

enum status box_wait(struct box *box, enum box_end *ret_end, struct error *err) {
    enum box_end end = BOX_RUNNING;
    while (end == BOX_RUNNING) {
        enum status status = box_poll(box, -1, &end, err);
        if (status) {
            return status;
        }
    }
    *ret_end = end;
    return STATUS_OK;
}

void box_kill(struct box *box) {
    if (box->pid > 0) {
        box_reap(box);
    }
}

enum status box_run(const struct box_command *command, struct box **ret_box, enum box_end *ret_end,
                    struct error *err) {
    struct box *box = NULL;
    enum status status = box_start(command, &box, err);
    if (!status) {
        status = box_wait(box, ret_end, err);
    }
    if (status) {
        box_free(box);
        return status;
    }
    *ret_box = box;
    return STATUS_OK;
}

int box_output_fd(const struct box *box) {
    return box->output_fd;
}

int box_exit_code(const struct box *box) {
    return box->exit_code;
}

uint64_t box_peak_bytes(const struct box *box) {
    return box->peak_bytes;
}

const char *box_output(const struct box *box) {
    return box->output;
}

void box_free(struct box *box) {
    if (!box) {
        return;
    }
    box_kill(box);
    fd_close(&box->pid_fd);
    fd_close(&box->output_fd);
    free(box->output);
    free(box);
}

// Runs in the forked child of a process that may have threads: no malloc, no stdio, no locks.
//
// The order matters: descriptors first, then limits (RLIMIT_NOFILE would stop the copying of
// descriptors; /dev/null may not be in the new root), then everything that drops rights, the filter
// of system calls last, and finally exec.
#include "sandbox/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/landlock.h"

#define FIRST_GIVEN_FD 3
// Descriptors are parked from here on while they are moved to their places, which are all below.
#define PARKING_FD      64
#define DESCRIPTORS_MAX (PARKING_FD - FIRST_GIVEN_FD)

static void give_up(const struct child_plan *plan, const char *what) __attribute__((noreturn));
static void give_up(const struct child_plan *plan, const char *what) {
    struct child_failure failure = {.number = errno};
    strncpy(failure.what, what, sizeof failure.what - 1);
    ssize_t put = write(plan->report_fd, &failure, sizeof failure);
    (void)put;  // the parent then sees only that the child ended
    _exit(127);
}

static void signals_reset(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++) {
        (void)sigaction(number, &action,
                        NULL);  // signals that cannot be set have their default anyway
    }
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

// The exec closes every descriptor from `first` on, including report_fd.
static int close_on_exec_from(int first) {
    if (close_range((unsigned)first, ~0u, CLOSE_RANGE_CLOEXEC) == 0) {
        return 0;
    }
    if (errno != ENOSYS && errno != EINVAL) {
        return -1;
    }
    struct rlimit limit;  // kernels before 5.11
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return -1;
    }
    for (int fd = first; fd < (int)limit.rlim_cur; fd++) {
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return 0;
}

// stdin is /dev/null, stdout and stderr are the output, the passed descriptors follow from 3 on,
// and no other is open.
static void descriptors_place(struct child_plan *plan) {
    int given[DESCRIPTORS_MAX];
    plan->report_fd = fcntl(plan->report_fd, F_DUPFD_CLOEXEC, PARKING_FD);
    int output = fcntl(plan->output_fd, F_DUPFD_CLOEXEC, PARKING_FD);
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (plan->report_fd < 0 || output < 0 || input < 0) {
        give_up(plan, "descriptors");
    }
    int parked_input = fcntl(input, F_DUPFD_CLOEXEC, PARKING_FD);
    for (int i = 0; i < plan->descriptor_count; i++) {
        given[i] = fcntl(plan->descriptor[i], F_DUPFD_CLOEXEC, PARKING_FD);
        if (given[i] < 0) {
            give_up(plan, "descriptors");
        }
    }
    if (dup2(parked_input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0) {
        give_up(plan, "descriptors");
    }
    for (int i = 0; i < plan->descriptor_count; i++) {
        if (dup2(given[i], FIRST_GIVEN_FD + i) < 0) {
            give_up(plan, "descriptors");
        }
    }
    if (close_on_exec_from(FIRST_GIVEN_FD + plan->descriptor_count) != 0) {
        give_up(plan, "descriptors");
    }
}

// Lowers a limit; never tries to raise a hard one, which an ordinary user may not.
static void limit_set(const struct child_plan *plan, int resource, uint64_t soft, uint64_t hard) {
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0) {
        give_up(plan, "limits");
    }
    if (limit.rlim_max == RLIM_INFINITY || hard < limit.rlim_max) {
        limit.rlim_max = hard;
    }
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    if (setrlimit((__rlimit_resource_t)resource, &limit) != 0) {
        give_up(plan, "limits");
    }
}

static void limits_set(const struct child_plan *plan) {
    const struct box_limits *limits = plan->limits;
    limit_set(plan, RLIMIT_CORE, 0, 0);
    if (limits->cpu_seconds != 0) {
        // SIGXCPU at the soft limit shows the reason; a program that ignores it is killed a second
        // later.
        limit_set(plan, RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1);
    }
#ifndef __SANITIZE_ADDRESS__  // its shadow memory needs 16 TiB of addresses, even after exec
    if (limits->memory_bytes != 0) {
        limit_set(plan, RLIMIT_AS, limits->memory_bytes, limits->memory_bytes);
    }
#endif
    if (limits->file_bytes != 0) {
        limit_set(plan, RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes);
    }
    if (limits->open_files != 0) {
        limit_set(plan, RLIMIT_NOFILE, limits->open_files, limits->open_files);
    }
    if (limits->processes != 0) {
        limit_set(plan, RLIMIT_NPROC, limits->processes, limits->processes);
    }
}

// Global, so that a filter made long before can name its address; written by the child alone.
static char exec_path[PATH_BYTES_MAX];

const char *child_exec_path(void) {
    return exec_path;
}

static void text_write(const struct child_plan *plan, const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t length = (ssize_t)strlen(text);
    if (fd < 0 || write(fd, text, (size_t)length) != length) {
        give_up(plan, "user namespace");
    }
    (void)close(fd);
}

// "1000 1000 1": maps only this user.
static void map_write(const struct child_plan *plan, const char *path, unsigned id) {
    char text[32];
    char digits[12];
    int count = 0;
    do {
        digits[count++] = (char)('0' + id % 10);
        id /= 10;
    } while (id != 0);
    int length = 0;
    for (int copy = 0; copy < 2; copy++) {
        for (int i = count - 1; i >= 0; i--) {
            text[length++] = digits[i];
        }
        text[length++] = ' ';
    }
    text[length++] = '1';
    text[length] = '\0';
    text_write(plan, path, text);
}

// In a new user namespace a process has no user until one is mapped.
static void user_map(const struct child_plan *plan, uid_t user, gid_t group) {
    text_write(plan, "/proc/self/setgroups", "deny");
    map_write(plan, "/proc/self/uid_map", user);
    map_write(plan, "/proc/self/gid_map", group);
}

// By system calls: the C library's functions change all threads of the process.  In the child it
// still lists those of the parent, and would wait for ever for one that was just starting.
static void user_drop(const struct child_plan *plan) {
    gid_t group = (gid_t)plan->uid;
    if (syscall(SYS_setgroups, 0, NULL) != 0 || syscall(SYS_setresgid, group, group, group) != 0 ||
        syscall(SYS_setresuid, plan->uid, plan->uid, plan->uid) != 0) {
        give_up(plan, "user");
    }
}

// No program may outlive the judge, however the judge ends.  Call this after a change of user,
// which would clear the setting.  The poll detects a parent that died before prctl, because only
// the judge has the other end of the report's pipe.
static void die_with_parent(const struct child_plan *plan) {
    struct pollfd report = {.fd = plan->report_fd};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || poll(&report, 1, 0) < 0 ||
        (report.revents & POLLERR)) {
        give_up(plan, "parent");
    }
}

// Drops rights irrevocably.
static void rights_drop(const struct child_plan *plan) {
    if (plan->uid != 0) {
        user_drop(plan);
    }
    die_with_parent(plan);
    // A set-user-ID program cannot restore privileges.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        give_up(plan, "no_new_privs");
    }
    if (plan->landlock_fd >= 0 && landlock_apply(plan->landlock_fd) != 0) {
        give_up(plan, "landlock");
    }
    if (plan->filter && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, plan->filter, 0, 0) != 0) {
        give_up(plan, "seccomp");
    }
}

static void attempt_run(const struct child_plan *plan) __attribute__((noreturn));
static void attempt_run(const struct child_plan *plan) {
    struct child_failure result = {.number = plan->attempt(plan), .what = CHILD_ATTEMPT};
    ssize_t put = write(plan->report_fd, &result, sizeof result);
    (void)put;
    _exit(0);
}

// Never returns.  Calls only functions that are async-signal-safe.
static void child_become(const struct child_plan *given_plan, uid_t user, gid_t group)
    __attribute__((noreturn));
static void child_become(const struct child_plan *given_plan, uid_t user, gid_t group) {
    struct child_plan plan = *given_plan;
    (void)close(plan.report_read_fd);
    if (setsid() < 0) {
        give_up(&plan, "session");
    }
    if (plan.namespaces & CLONE_NEWUSER) {
        user_map(&plan, user, group);
    }
    signals_reset();
    if (plan.descriptor_count > DESCRIPTORS_MAX) {
        errno = EMFILE;
        give_up(&plan, "descriptors");
    }
    if (plan.landlock_fd >= 0) {
        plan.landlock_fd = fcntl(plan.landlock_fd, F_DUPFD_CLOEXEC, PARKING_FD);
    }
    descriptors_place(&plan);
    (void)umask(0);
    if (plan.root && root_enter(plan.root) != 0) {
        give_up(&plan, "root");
    }
    (void)umask(077);
    if (plan.folder && chdir(plan.folder) != 0) {
        give_up(&plan, "working folder");
    }
    // It opens a file, which RLIMIT_NOFILE would refuse: the caller's own files are still open.
    if (plan.landlock_thread_names > 0 &&
        landlock_allow_thread_names(plan.landlock_fd, plan.landlock_thread_names) != 0) {
        give_up(&plan, "landlock");
    }
    limits_set(&plan);
    rights_drop(&plan);
    if (plan.attempt) {
        attempt_run(&plan);
    }
    strncpy(exec_path, plan.path, sizeof exec_path - 1);
    (void)execve(exec_path, plan.argument, plan.environment);
    give_up(&plan, "exec");
}

pid_t child_fork(const struct child_plan *plan) {
    uid_t user = geteuid();
    gid_t group = getegid();
    // The C library's fork does not support namespaces.  The child calls nothing that depends on
    // that fork.
    pid_t pid = plan->namespaces == 0
                    ? fork()
                    : (pid_t)syscall(SYS_clone, (long)(plan->namespaces | SIGCHLD), 0, 0, 0, 0);
    if (pid == 0) {
        child_become(plan, user, group);
    }
    return pid;
}

// Runs in the forked child of a process that may have threads: no malloc, no stdio, no locks.
//
// The order matters: descriptors first, then limits (RLIMIT_NOFILE would stop the copying of
// descriptors), exec last.
#include "sandbox/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_GIVEN_FD 3
// Where descriptors are parked while they are put into place; above every place that one may get.
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
                        NULL);  // those that cannot be set keep their default anyway
    }
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

// Every descriptor from `first` on is closed by the exec, report_fd among them.
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

// stdin is /dev/null, stdout and stderr are the output, the given ones follow from 3 on, and
// nothing else is open.
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
        // SIGXCPU at the soft limit tells the reason; a program that ignores it is killed a second
        // later.
        limit_set(plan, RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1);
    }
#ifndef __SANITIZE_ADDRESS__  // its shadow takes 16 TiB of addresses, also in what the box runs
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

void child_become(const struct child_plan *given_plan) {
    struct child_plan plan = *given_plan;
    if (setsid() < 0) {
        give_up(&plan, "session");
    }
    // The judge must not leave anything running, however it ends.  The second look closes the gap
    // before prctl.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != plan.parent) {
        give_up(&plan, "parent");
    }
    signals_reset();
    (void)umask(077);
    if (plan.folder && chdir(plan.folder) != 0) {
        give_up(&plan, "working folder");
    }
    if (plan.descriptor_count > DESCRIPTORS_MAX) {
        errno = EMFILE;
        give_up(&plan, "descriptors");
    }
    descriptors_place(&plan);
    limits_set(&plan);
    // Privileges cannot come back through a set-user-ID program.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        give_up(&plan, "no_new_privs");
    }
    // Here, in this order, belong the further layers: user id, namespaces, Landlock, and seccomp as
    // the last.
    (void)execve(plan.path, plan.argument, plan.environment);
    give_up(&plan, "exec");
}

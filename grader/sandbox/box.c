// A program in a box, seen from outside: read what it prints, see it end, kill it with its group.
//
// Invariant: nothing here waits for the far end of the pipe to close, because a child that was left
// behind may hold it open for ever; the end of the program itself is seen by its pidfd.
#include "sandbox/box.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/box_parts.h"

#define READ_BYTES 4096

uint64_t box_now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void box_close_fd(int *fd) {
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

// Keeps what was read, up to the limit.  Returns false where it went over it.
static bool output_keep(struct box *box, const char *bytes, size_t count) {
    size_t left = box->limits.output_bytes - box->output_bytes;
    bool fits = count <= left;
    size_t kept = fits ? count : left;
    memcpy(box->output + box->output_bytes, bytes, kept);
    box->output_bytes += kept;
    box->output[box->output_bytes] = '\0';
    return fits;
}

// Reads what is there now.  A flood ends at the limit, so this ends too.
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
            box_close_fd(&box->output_fd);
        } else if (!output_keep(box, bytes, (size_t)got)) {
            box->killed_for = BOX_OUTPUT_LIMIT;
            box_close_fd(&box->output_fd);
        }
    }
}

// How it ended, from its wait status.
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

// A limit of ours has its own signal: who is killed by SIGKILL was killed by somebody else.
static int exit_code_of(enum box_end end, const siginfo_t *info) {
    if (end == BOX_CPU_LIMIT) {
        return 128 + SIGXCPU;
    }
    if (end == BOX_OUTPUT_LIMIT) {
        return 128 + SIGXFSZ;
    }
    return info->si_code == CLD_EXITED ? info->si_status : 128 + info->si_status;
}

// Kills the group and reaps the program.  The group goes first: while the program is not reaped,
// its number is still its own.
static void box_reap(struct box *box) {
    (void)kill(-box->pid, SIGKILL);
    (void)kill(box->pid, SIGKILL);  // before setsid it has no group of its own
    siginfo_t info;
    struct rusage usage;
    memset(&info, 0, sizeof info);
    memset(&usage, 0, sizeof usage);
    int got = 0;
    do {
        got = (int)syscall(SYS_waitid, P_PID, box->pid, &info, WEXITED, &usage);
    } while (got != 0 && errno == EINTR);
    if (got != 0) {  // nobody knows how it ended: no fault of what ran, and no limit of ours
        info.si_code = CLD_KILLED;
        info.si_status = SIGKILL;
    }
    output_read(box);
    box->end = end_of(box, &info, &usage);
    box->exit_code = exit_code_of(box->end, &info);
    box->peak_bytes = (uint64_t)usage.ru_maxrss << 10;
    box->pid = -1;
    box_close_fd(&box->pid_fd);
    box_close_fd(&box->output_fd);
}

enum status box_poll(struct box *box, int wait_ms, enum box_end *ret_end, struct error *err) {
    if (box->end != BOX_RUNNING) {
        *ret_end = box->end;
        return STATUS_OK;
    }
    uint64_t now = box_now_ms();
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
    bool late = box->deadline_ms != 0 && box_now_ms() >= box->deadline_ms;
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

void box_kill(struct box *box) {
    if (box->pid > 0) {
        box_reap(box);
    }
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
    box_close_fd(&box->pid_fd);
    box_close_fd(&box->output_fd);
    free(box->output);
    free(box);
}

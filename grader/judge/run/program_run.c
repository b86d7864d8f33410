// The program's findings arrive as messages while it runs; they are worked out when it has ended.
#include "judge/run/program_run.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "device/channel/protocol.h"
#include "judge/run/findings_merge.h"
#include "sandbox/box.h"

#define POLL_MS       50
#define PROCESSES_MAX 128  // with its threads; a failed fork costs the program, not the machine

// Much is reserved, for shadows of all device memory, and little of it is touched.
static const struct box_limits program_limits = {
    .cpu_seconds = 3600,
    .memory_bytes = 1ull << 40,
    .file_bytes = 1ull << 30,
    .output_bytes = 1 << 10,
    .open_files = 64,
};

// --- Messages ------------------------------------------------------------------------------------

// Takes all messages that have arrived.  False if the program sends something else.
static bool messages_take(int fd, struct findings *findings) {
    struct announcement message;
    for (;;) {
        ssize_t got = recv(fd, &message, sizeof message, MSG_DONTWAIT | MSG_TRUNC);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return true;
        }
        if (got != (ssize_t)sizeof message || message.magic != ANNOUNCEMENT_MAGIC ||
            !program_finding_check(&message.finding)) {
            return false;
        }
        findings_add(findings, &message.finding);
    }
}

// --- The process ---------------------------------------------------------------------------------

static enum status box_watch(struct box *box, int fd, struct program_result *result,
                             struct findings *findings, struct error *err) {
    enum box_end end = BOX_RUNNING;
    bool valid = true;
    while (end == BOX_RUNNING && valid) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        (void)poll(&ready, 1, POLL_MS);
        valid = messages_take(fd, findings);
        enum status status = box_poll(box, ready.revents & POLLHUP ? POLL_MS : 0, &end, err);
        if (status) {
            return status;
        }
    }
    valid = valid && messages_take(fd, findings);
    if (!valid) {
        box_kill(box);
        return fail(err, STATUS_SYSTEM, "the program sent a message that is not ours");
    }
    result->exit_code = box_exit_code(box);
    result->was_lost = end == BOX_SIGNALLED;
    return STATUS_OK;
}

static enum status process_run(const struct run_program *program, const char *folder,
                               char *const *argument, struct program_result *result,
                               struct findings *findings, struct error *err) {
    int pair[2] = {-1, -1};
    char worker[PATH_BYTES_MAX];
    struct box *box = NULL;
    int count = 0;
    while (argument[count]) {
        count++;
    }
    char **words = xcalloc((size_t)count + 2, sizeof *words);
    memcpy(words + 1, argument, (size_t)count * sizeof *words);
    words[0] = worker;
    const char *const readable[] = {worker, NULL};
    static const char *const passed[] = {"CUDA_VISIBLE_DEVICES", NULL};
    enum status status = path_make(worker, err, "%s/worker", program->scratch);
    if (!status && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "cannot make a socket");
    }
    struct box_command command = {.argument = words,
                                  .folder = folder,
                                  .passed = passed,
                                  .descriptor = &pair[1],
                                  .descriptor_count = 1,
                                  .limits = program_limits,
                                  .sandbox = program->machine->sandbox,
                                  .profile = PROFILE_PROGRAM,
                                  .readable = readable,
                                  .shares_streams = true};
    if (sandbox_counts_processes(program->machine->sandbox)) {
        command.limits.processes = PROCESSES_MAX;
    }
    if (!status) {
        status = box_start(&command, &box, err);
    }
    fd_close(&pair[1]);
    const struct shared_array_table *shared = &program->report.shared;
    if (!status && send(pair[0], shared, sizeof *shared, MSG_NOSIGNAL) != (ssize_t)sizeof *shared) {
        status = fail_errno(err, STATUS_SYSTEM, "the program ended before it began");
    }
    if (!status) {
        status = box_watch(box, pair[0], result, findings, err);
    }
    box_free(box);
    fd_close(&pair[0]);
    free(words);
    return status;
}

// --- Findings ------------------------------------------------------------------------------------

static enum status findings_explain(const struct run_program *program,
                                    const struct submitted *source, const struct findings *findings,
                                    struct program_result *result, struct error *err) {
    static const struct signature none = {.parameter_count = 0};
    run_findings_add(&result->findings, findings, DEVICE_EMU, (struct size){0});
    for (int i = 0; i < result->findings.count; i++) {
        result->findings.list[i].signature = &none;
        result->findings.list[i].files = &program->files;
    }
    return run_findings_finish(program, source, VERDICT_PASS, &result->findings, err);
}

enum status program_run(const struct run_program *program, const char *folder,
                        char *const *argument, const struct submitted *source,
                        struct program_result *ret_result, struct error *err) {
    struct findings *findings = xcalloc(1, sizeof *findings);
    memset(ret_result, 0, sizeof *ret_result);
    enum status status = process_run(program, folder, argument, ret_result, findings, err);
    if (!status) {
        status = findings_explain(program, source, findings, ret_result, err);
    }
    free(findings);
    return status;
}

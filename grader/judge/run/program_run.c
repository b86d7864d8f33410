// The program's findings arrive as messages while it runs; they are worked out when it has ended.
#include "judge/run/program_run.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "device/channel/protocol.h"
#include "judge/run/findings_merge.h"
#include "sandbox/box.h"

#define POLL_MS       50
#define LOOK_TURNS    10
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

// --- Its folder ----------------------------------------------------------------------------------

// The program works in a folder of its own, so that nothing that it writes lands in the student's.
// The files of the student's folder are links there, and stay read-only.

#define LINKS_MAX   4096          // in a larger folder the program works itself, and cannot write
#define DEPTH_MAX   6             // a deeper folder is a link
#define WRITTEN_MAX (1ull << 30)  // bytes
#define FILES_MAX   4096

// Makes in `to` a link for each file of `from`.  False if these are too many, or it cannot be done.
static bool folder_mirror(const char *from, const char *to, int depth, int *links) {
    char source[PATH_BYTES_MAX];
    char target[PATH_BYTES_MAX];
    struct stat info;
    DIR *folder = opendir(from);
    bool done = folder != NULL;
    for (struct dirent *entry; done && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        done = ++*links <= LINKS_MAX && !path_make(source, NULL, "%s/%s", from, entry->d_name) &&
               !path_make(target, NULL, "%s/%s", to, entry->d_name);
        if (done && depth < DEPTH_MAX && entry->d_name[0] != '.' && lstat(source, &info) == 0 &&
            S_ISDIR(info.st_mode)) {
            done = mkdir(target, 0777) == 0 && chmod(target, 0777) == 0 &&
                   folder_mirror(source, target, depth + 1, links);
        } else if (done) {
            done = symlink(source, target) == 0;
        }
    }
    if (folder) {
        (void)closedir(folder);
    }
    return done;
}

// Adds up the files that the program wrote below a folder, without following links.
static void written_count(const char *path, int depth, int *files, uint64_t *bytes) {
    char inside[PATH_BYTES_MAX];
    struct stat info;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && *files <= FILES_MAX && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            path_make(inside, NULL, "%s/%s", path, entry->d_name) || lstat(inside, &info) != 0) {
            continue;
        }
        if (S_ISDIR(info.st_mode) && depth < 4 * DEPTH_MAX) {
            written_count(inside, depth + 1, files, bytes);
        }
        *files += S_ISREG(info.st_mode);
        *bytes += S_ISREG(info.st_mode) ? (uint64_t)info.st_blocks * 512 : 0;
    }
    if (folder) {
        (void)closedir(folder);
    }
}

// Looks at what the program has written so far.
static void written_look(const char *folder, struct program_result *result) {
    uint64_t bytes = 0;
    result->files_written = 0;
    written_count(folder, 0, &result->files_written, &bytes);
    result->wrote_too_much |= bytes > WRITTEN_MAX || result->files_written > FILES_MAX;
}

// --- The process ---------------------------------------------------------------------------------

static enum status box_watch(struct box *box, int fd, const char *own,
                             struct program_result *result, struct findings *findings,
                             struct error *err) {
    enum box_end end = BOX_RUNNING;
    bool valid = true;
    for (int turn = 0; end == BOX_RUNNING && valid; turn++) {
        if (own && turn % LOOK_TURNS == LOOK_TURNS - 1) {
            written_look(own, result);
        }
        if (result->wrote_too_much) {
            box_kill(box);
            result->exit_code = 128 + SIGKILL;
            return STATUS_OK;
        }
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
    if (own) {
        written_look(own, result);
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
    char own[PATH_BYTES_MAX] = "";
    int links = 0;
    struct box *box = NULL;
    int count = 0;
    while (argument[count]) {
        count++;
    }
    char **words = xcalloc((size_t)count + 2, sizeof *words);
    memcpy(words + 1, argument, (size_t)count * sizeof *words);
    words[0] = worker;
    const char *const readable[] = {worker, folder, NULL};
    static const char *const passed[] = {"CUDA_VISIBLE_DEVICES", NULL};
    enum status status = path_make(worker, err, "%s/worker", program->scratch);
    if (!status) {
        status = path_make(own, err, "%s/own", program->scratch);
    }
    bool writes = !status && mkdir(own, 0777) == 0 && chmod(own, 0777) == 0 &&
                  folder_mirror(folder, own, 0, &links);
    if (!status && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "cannot make a socket");
    }
    struct box_command command = {.argument = words,
                                  .folder = writes ? own : folder,
                                  .passed = passed,
                                  .descriptor = &pair[1],
                                  .descriptor_count = 1,
                                  .limits = program_limits,
                                  .sandbox = program->machine->sandbox,
                                  .profile = writes ? PROFILE_WRITER : PROFILE_PROGRAM,
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
        status = box_watch(box, pair[0], writes ? own : NULL, result, findings, err);
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

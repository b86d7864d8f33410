// See process.h.  A message is one byte and a descriptor, the memory of the call; so is the answer,
// without one.
#include "judge/expected/process.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "device/compile/build_plan.h"

#define WATCH_MS 100

// The program ends a call that takes too long itself, so there is no limit for all of them.
static const struct box_limits limits = {
    .cpu_seconds = 24ull * 3600,
    .memory_bytes = 256ull << 30,  // numbers are made when they are touched
    .file_bytes = 16ull << 30,
    .output_bytes = 64 << 10,
    .open_files = 16,
};

static void process_stop(struct expected_process *process) {
    if (process->box) {
        fd_close(&process->socket_fd);
        box_free(process->box);
        process->box = NULL;
    }
}

static enum status process_start(const struct expected_program *program, bool is_values,
                                 struct expected_process *process, struct error *err) {
    const struct judge_machine *machine = program->build.machine;
    struct build_step step = {.what = "expected.c"};
    int sockets[2] = {-1, -1};
    step_add(&step, is_values ? "%s/" EXPECTED_VALUES : "%s/" EXPECTED_NUMBERS,
             program->build.scratch);
    enum status status = step_check(&step, err);
    if (!status && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "cannot open the channel to an expected.c");
    }
    if (!status) {
        const char *const readable[] = {step.argument[0], NULL};
        const struct box_command command = {.argument = step.argument,
                                            .folder = program->build.scratch,
                                            .passed = device_variables(DEVICE_EMU),
                                            .descriptor = &sockets[1],
                                            .descriptor_count = 1,
                                            .limits = limits,
                                            .sandbox = machine->sandbox,
                                            .profile = PROFILE_KERNEL,
                                            .readable = readable};
        status = box_start(&command, &process->box, err);
    }
    fd_close(&sockets[1]);
    build_step_done(&step);
    if (status) {
        fd_close(&sockets[0]);
        return status;
    }
    process->socket_fd = sockets[0];
    return STATUS_OK;
}

static bool memory_send(const struct expected_process *process, int memory_fd) {
    char byte = 0;
    struct iovec data = {&byte, 1};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof memory_fd)] = {0};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof memory_fd);
    memcpy(CMSG_DATA(head), &memory_fd, sizeof memory_fd);
    return sendmsg(process->socket_fd, &message, MSG_NOSIGNAL) == 1;
}

// Waits for the answer, and reads what the program prints meanwhile.
static enum status answer_wait(const struct expected_process *process, uint64_t deadline,
                               enum expected_end_of_call *ret_end, struct error *err) {
    enum box_end end = BOX_RUNNING;
    bool is_closed = false;
    for (;;) {
        struct pollfd fds[2] = {{.fd = is_closed ? -1 : process->socket_fd, .events = POLLIN},
                                {.fd = box_output_fd(process->box), .events = POLLIN}};
        char byte;
        if (poll(fds, 2, WATCH_MS) < 0 && errno != EINTR) {
            return fail_errno(err, STATUS_SYSTEM, "cannot wait for an expected.c");
        }
        if (fds[0].revents != 0 && recv(process->socket_fd, &byte, 1, MSG_DONTWAIT) == 1) {
            *ret_end = CALL_RETURNED;
            return STATUS_OK;
        }
        is_closed = is_closed || fds[0].revents != 0;
        enum status status = box_poll(process->box, 0, &end, err);
        if (status || end != BOX_RUNNING) {
            *ret_end = CALL_ENDED;
            return status;
        }
        if (clock_ms() >= deadline) {
            box_kill(process->box);
            *ret_end = CALL_LATE;
            return STATUS_OK;
        }
    }
}

enum status expected_process_call(const struct expected_program *program, bool is_values,
                                  int memory_fd, uint64_t deadline_ms,
                                  enum expected_end_of_call *ret_end, struct error *err) {
    struct expected_process *process = &program->process[is_values];
    enum box_end end = BOX_RUNNING;
    enum status status = STATUS_OK;
    // The last call may have ended it.  What a kernel made of its outputs may have spoiled the
    // memory of a check function.
    if (process->box &&
        (program->is_check || box_poll(process->box, 0, &end, NULL) || end != BOX_RUNNING)) {
        process_stop(process);
    }
    if (!process->box) {
        status = process_start(program, is_values, process, err);
    }
    if (!status && !memory_send(process, memory_fd)) {
        status = fail_errno(err, STATUS_SYSTEM, "cannot send to an expected.c");
    }
    return status ? status : answer_wait(process, clock_ms() + deadline_ms, ret_end, err);
}

const struct box *expected_process_box(const struct expected_program *program, bool is_values) {
    return program->process[is_values].box;
}

struct expected_process *expected_processes_new(void) {
    return calloc(2, sizeof(struct expected_process));
}

void expected_processes_free(struct expected_process *processes) {
    for (int i = 0; processes && i < 2; i++) {
        process_stop(&processes[i]);
    }
    free(processes);
}

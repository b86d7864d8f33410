// One worker, seen from the judge.  Messages go over a SEQPACKET socket pair, so that each arrives
// whole or not at all; matrices go through a memfd by pread and pwrite, never mapped, so that the
// worker cannot change them while they are read.
//
// Announced findings of one process replace each other by the same rule as in the worker, so an
// honest answer contains all announced findings.
#include "device/channel/session.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "device/channel/protocol.h"

// A finding is announced when it is new, and again when one of greater weight replaces it.  There
// are six weights (emu/wire/finding.c).  Each process of a launch has its own list, and a launch
// may run alone twice.
#define WEIGHTS           6u
#define ANNOUNCEMENTS_MAX (WEIGHTS * FINDINGS_MAX * (LAUNCH_SHARES_MAX + 3))

bool announced_add(struct announced *announced, const struct request *request,
                   const struct announcement *message, size_t bytes) {
    if (bytes != sizeof *message || message->magic != ANNOUNCEMENT_MAGIC ||
        message->run >= ANNOUNCEMENT_RUN_COUNT || message->nonce > request->nonce ||
        announced->count >= ANNOUNCEMENTS_MAX) {
        return false;
    }
    announced->count++;
    if (message->nonce < request->nonce) {
        return true;
    }
    announced->in_config |= message->run == ANNOUNCED_IN_CONFIG;
    announced->in_share |= message->run == ANNOUNCED_IN_SHARE;
    if (message->run == ANNOUNCED_ALONE) {
        (void)findings_add(&announced->alone, &message->finding);
    }
    return true;
}

bool announced_settle(const struct announced *announced, const struct request *request,
                      struct answer *answer) {
    if (answer->end == RUN_TROUBLE) {
        return true;  // is no evidence about the kernel
    }
    if ((announced->in_config && answer->end != RUN_BAD_LAUNCH) ||
        (announced->in_share && answer->processes > 1)) {
        return false;
    }
    return answer_add_findings(request, &announced->alone, answer);
}

#define WATCH_INTERVAL_MS 100

enum status session_open(struct session *ret_session, struct error *err) {
    int sockets[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "cannot open the channel to a worker");
    }
    int memory = memfd_create("matrices", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    // The worker may neither shrink the file while we use it nor seal it against our writing.
    if (memory < 0 || fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
        enum status status = fail_errno(err, STATUS_SYSTEM, "cannot get memory for the matrices");
        (void)close(sockets[0]);
        (void)close(sockets[1]);
        if (memory >= 0) {
            (void)close(memory);
        }
        return status;
    }
    *ret_session = (struct session){
        .socket_fd = sockets[0], .worker_fd = sockets[1], .matrices_fd = memory, .next_nonce = 1};
    return STATUS_OK;
}

void session_started(struct session *session) {
    fd_close(&session->worker_fd);
}

void session_close(struct session *session) {
    fd_close(&session->socket_fd);
    fd_close(&session->worker_fd);
    fd_close(&session->matrices_fd);
}

void session_watch(struct session *session, int (*watch)(void *context), void *context) {
    session->watch = watch;
    session->watch_context = context;
}

// Waits until the socket can be read (ANSWERED), the worker is known to have ended (DIED), or the
// time is over (LATE).
static enum status wait_readable(struct session *session, uint64_t deadline, struct error *err) {
    for (;;) {
        int watched = SESSION_WATCH_NONE;
        if (session->watch) {
            watched = session->watch(session->watch_context);
        }
        uint64_t now = clock_ms();
        uint64_t left = deadline > now ? deadline - now : 0;
        bool ended = watched == SESSION_WATCH_ENDED;
        struct pollfd fds[2] = {{.fd = session->socket_fd, .events = POLLIN},
                                {.fd = watched, .events = POLLIN}};  // negative ones are skipped
        int timeout = left < WATCH_INTERVAL_MS ? (int)left : WATCH_INTERVAL_MS;
        int ready = poll(fds, 2, ended ? 0 : timeout);
        if (ready < 0 && errno != EINTR) {
            return fail_errno(err, STATUS_SYSTEM, "cannot wait for a worker");
        }
        if (ready > 0 && fds[0].revents != 0) {
            session->end = SESSION_ANSWERED;
            return STATUS_OK;
        }
        if (ended || left == 0) {
            session->end = ended ? SESSION_DIED : SESSION_LATE;
            return STATUS_OK;
        }
    }
}

union message {
    struct answer answer;
    struct announcement announcement;
};

// Receives the worker's announcements, and then the answer.
static enum status answer_receive(struct session *session, const struct request *request,
                                  uint64_t deadline, struct answer *ret_answer, struct error *err) {
    struct announced announced;
    union message message;
    memset(&announced, 0, sizeof announced);
    for (;;) {
        enum status status = wait_readable(session, deadline, err);
        if (status || session->end != SESSION_ANSWERED) {
            return status;
        }
        memset(&message, 0, sizeof message);
        // MSG_TRUNC makes recv return the true length of a message that is too long.
        ssize_t got = recv(session->socket_fd, &message, sizeof message, MSG_DONTWAIT | MSG_TRUNC);
        if (got <= 0) {
            session->end = SESSION_DIED;
            return STATUS_OK;
        }
        if (announced_add(&announced, request, &message.announcement, (size_t)got)) {
            continue;
        }
        if (!answer_check(request, &message.answer, (size_t)got) ||
            !announced_settle(&announced, request, &message.answer)) {
            session->end = SESSION_MALFORMED;
            return STATUS_OK;
        }
        *ret_answer = message.answer;
        return STATUS_OK;
    }
}

// Sends bytes of request and receives the answer.
static enum status exchange(struct session *session, const struct request *request, size_t bytes,
                            uint64_t deadline_ms, struct answer *ret_answer, struct error *err) {
    ssize_t sent = send(session->socket_fd, request, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent != (ssize_t)bytes) {
        if (sent < 0 && (errno == ENOMEM || errno == ENOBUFS)) {
            return fail_errno(err, STATUS_SYSTEM, "cannot send to a worker");
        }
        // A worker that is gone, or that lets requests pile up, which an honest one never does.
        session->end =
            sent < 0 && (errno == EPIPE || errno == ECONNRESET) ? SESSION_DIED : SESSION_MALFORMED;
        return STATUS_OK;
    }
    return answer_receive(session, request, clock_ms() + deadline_ms, ret_answer, err);
}

enum status session_setup(struct session *session, const struct shared_array_table *shared,
                          uint64_t deadline_ms, struct answer *ret_answer, struct error *err) {
    assert(shared->count <= SHARED_ARRAYS_MAX);
    session->shared = *shared;
    struct request request;
    memset(&request, 0, sizeof request);
    request.magic = PROTOCOL_MAGIC;
    request.kind = REQUEST_SETUP;
    request.nonce = session->next_nonce++;
    request.shared = *shared;
    return exchange(session, &request, sizeof request, deadline_ms, ret_answer, err);
}

static enum status array_write(const struct session *session, const struct argument *array,
                               const void *elements, struct error *err) {
    const char *bytes = elements;
    uint64_t offset = array->at;
    uint64_t left = array->period > 0 ? array->period : array->bytes;
    while (left > 0) {
        ssize_t put = pwrite(session->matrices_fd, bytes, left, (off_t)offset);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return fail_errno(err, STATUS_SYSTEM, "cannot write the matrices for a worker");
        }
        bytes += put;
        offset += (uint64_t)put;
        left -= (size_t)put;
    }
    return STATUS_OK;
}

static enum status room_make(struct session *session, uint64_t bytes, struct error *err) {
    if (bytes > session->bytes) {
        if (ftruncate(session->matrices_fd, (off_t)bytes) != 0) {
            return fail_errno(err, STATUS_SYSTEM, "no memory for matrices of %llu bytes",
                              (unsigned long long)bytes);
        }
        session->bytes = bytes;
    }
    return STATUS_OK;
}

static enum status arrays_write(struct session *session, const struct arguments *arguments,
                                const void *const array[ARGUMENTS_MAX], struct error *err) {
    enum status status = room_make(session, arguments_memory_bytes(arguments), err);
    for (uint32_t i = 0; i < arguments->count && !status; i++) {
        const struct argument *argument = &arguments->list[i];
        if (argument->bytes > 0 && array[i]) {
            status = array_write(session, argument, array[i], err);
        } else if (argument->bytes > 0 &&
                   fallocate(session->matrices_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                             (off_t)argument->at, (off_t)argument->bytes) != 0) {
            status = fail_errno(err, STATUS_SYSTEM, "cannot clear the matrices for a worker");
        }
    }
    return status;
}

enum status session_launch(struct session *session, const struct request *request,
                           const void *const array[ARGUMENTS_MAX], uint64_t deadline_ms,
                           struct answer *ret_answer, struct error *err) {
    bool plans = request->flags & REQUEST_PLAN;
    enum status status = plans ? STATUS_OK : arrays_write(session, &request->arguments, array, err);
    if (status) {
        return status;
    }
    struct request full = *request;
    full.magic = PROTOCOL_MAGIC;
    full.kind = REQUEST_LAUNCH;
    full.nonce = session->next_nonce++;
    full.shared = session->shared;
    return exchange(session, &full, REQUEST_HEAD_BYTES, deadline_ms, ret_answer, err);
}

enum status session_timed(struct session *session, const struct request *request,
                          uint64_t deadline_ms, struct answer *ret_answer, struct error *err) {
    assert(request->kind >= REQUEST_RESERVE && request->kind <= REQUEST_COLLECT);
    enum status status =
        room_make(session, timed_layout_of(&request->arguments, request->timed.batch).total, err);
    if (status) {
        return status;
    }
    struct request full = *request;
    full.magic = PROTOCOL_MAGIC;
    full.nonce = session->next_nonce++;
    full.shared = session->shared;
    return exchange(session, &full, REQUEST_HEAD_BYTES, deadline_ms, ret_answer, err);
}

enum status session_read(const struct session *session, uint64_t offset, void *ret_bytes,
                         size_t count, struct error *err) {
    char *bytes = ret_bytes;
    while (count > 0) {
        ssize_t got = pread(session->matrices_fd, bytes, count, (off_t)offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return fail_errno(err, STATUS_SYSTEM, "cannot read the matrices of a worker");
        }
        if (got == 0) {
            return fail(err, STATUS_SYSTEM, "a worker's matrices are shorter than they were");
        }
        bytes += got;
        offset += (uint64_t)got;
        count -= (size_t)got;
    }
    return STATUS_OK;
}

bool session_data(const struct session *session, uint64_t from, uint64_t end,
                  struct session_extent *ret_extent) {
    off_t data = lseek(session->matrices_fd, (off_t)from, SEEK_DATA);
    if (data < 0 || (uint64_t)data >= end) {
        return false;
    }
    off_t hole = lseek(session->matrices_fd, data, SEEK_HOLE);
    uint64_t stop = hole < 0 || (uint64_t)hole > end ? end : (uint64_t)hole;
    *ret_extent = (struct session_extent){(uint64_t)data, stop - (uint64_t)data};
    return true;
}

enum status session_record(struct session *session, const struct request *request,
                           const void *const array[ARGUMENTS_MAX], const char *path,
                           struct error *err) {
    struct recorded *recorded = NULL;
    enum status status = arrays_write(session, &request->arguments, array, err);
    if (!status) {
        recorded = xcalloc(1, sizeof *recorded + session->bytes);
        recorded->setup.shared = session->shared;
        recorded->launch = *request;
        recorded->setup.kind = REQUEST_SETUP;
        recorded->launch.kind = REQUEST_LAUNCH;
        recorded->setup.magic = recorded->launch.magic = PROTOCOL_MAGIC;
        status = session_read(session, 0, recorded + 1, session->bytes, err);
    }
    if (!status) {
        status = file_write(path, recorded, sizeof *recorded + session->bytes, err);
    }
    free(recorded);
    return status;
}

enum status session_fetch(const struct session *session, const struct argument *array,
                          void *ret_elements, struct error *err) {
    return session_read(session, array->at, ret_elements, array->bytes, err);
}

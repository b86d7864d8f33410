// The worker: runs launches for the judge, next to the student's kernel, and judges nothing.
//
// Two programs are made from this file: one linked with the student's object and the CPU machine,
// one with the GPU launcher (arguments: cubin, kernel, device number).  It ends when the judge
// closes the channel.  A debugger starts the former with the name of a file that contains a judge's
// messages.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "device/channel/launcher.h"
#include "device/channel/protocol.h"

// Receives one request.  Returns 1, 0 if the judge closed the channel, -1 if it is not a valid
// request.
static int request_receive(struct request *ret_request) {
    for (;;) {
        memset(ret_request, 0, sizeof *ret_request);
        ssize_t got = recv(PROTOCOL_SOCKET_FD, ret_request, sizeof *ret_request, MSG_TRUNC);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0 ? 0 : -1;
        }
        return request_check(ret_request, (size_t)got) ? 1 : -1;
    }
}

static int answer_send(const struct answer *answer, size_t bytes) {
    for (;;) {
        ssize_t put = send(PROTOCOL_SOCKET_FD, answer, bytes, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        return put == (ssize_t)bytes ? 0 : -1;
    }
}

// Reports our own failure as an answer.  Only the judge words it for people.
static void answer_trouble(struct answer *answer, const struct error *err) {
    memset(answer, 0, sizeof *answer);
    answer->end = RUN_TROUBLE;
    (void)snprintf(answer->text, sizeof answer->text, "%.*s", ANSWER_TEXT_MAX - 1, err->text);
}

int main(int argc, char **argv) {
    // Static, because a student's kernel may use up the stack of this program.
    static struct request request;
    static struct answer answer;
    struct error err = {.text = "the device could not be opened"};
    struct launcher *launcher = NULL;
    if (argc == 2 && recorded_open(argv[1], &err)) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    enum status opened = launcher_open(argc - 1, argv + 1, &launcher, &err);
    int received;
    while ((received = request_receive(&request)) == 1) {
        memset(&answer, 0, sizeof answer);
        if (opened) {
            answer_trouble(&answer, &err);
        } else {
            struct error trouble = {.text = "the launch failed"};
            if (launcher_run(launcher, &request, PROTOCOL_MATRICES_FD, &answer, &trouble)) {
                answer_trouble(&answer, &trouble);
            }
        }
        answer.magic = PROTOCOL_MAGIC;
        answer.kind = request.kind;
        answer.nonce = request.nonce;
        // The kernel's output must arrive before the answer.
        (void)fflush(stdout);
        if (answer_send(&answer, answer_bytes(request.flags)) != 0) {
            break;
        }
    }
    launcher_close(launcher);
    return received == 0 ? 0 : 1;
}

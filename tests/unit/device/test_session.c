// The channel, with workers that are good, late, dead, or lying.  Each worker is a forked child of
// the test that speaks the protocol itself.
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/channel/session.h"
#include "emu/wire/finding.h"
#include "product_arguments.h"
#include "suite.h"

static struct session session;
static pid_t worker = -1;

// Starts a child that runs `behave` with the worker's end and the matrices.
static void start(void (*behave)(int socket, int matrices)) {
    ck_assert_int_eq(session_open(&session, NULL), STATUS_OK);
    worker = fork();
    ck_assert_int_ge(worker, 0);
    if (worker == 0) {
        (void)close(session.socket_fd);
        behave(session.worker_fd, session.matrices_fd);
        _exit(0);
    }
    session_started(&session);
    ck_assert_int_eq(session.worker_fd, -1);
}

static void teardown(void) {
    session_close(&session);
    if (worker > 0) {
        (void)kill(worker, SIGKILL);
        (void)waitpid(worker, NULL, 0);
    }
    worker = -1;
}

static bool receive(int socket, struct request *request) {
    memset(request, 0, sizeof *request);
    ssize_t got = recv(socket, request, sizeof *request, 0);
    return got > 0 && request_check(request, (size_t)got);
}

static struct answer answer_to(const struct request *request) {
    struct answer answer;
    memset(&answer, 0, sizeof answer);
    answer.magic = PROTOCOL_MAGIC;
    answer.kind = request->kind;
    answer.nonce = request->nonce;
    for (int i = 0; i < 3; i++) {
        answer.grid[i] = 1;
        answer.block[i] = 1;
    }
    return answer;
}

// Answers everything; C becomes 2 C.
static void behave_well(int socket, int matrices) {
    struct request request;
    while (receive(socket, &request)) {
        struct answer answer = answer_to(&request);
        if (request.kind == REQUEST_LAUNCH) {
            const struct argument *third = &request.arguments.list[ARRAY_C];
            float c[6];
            if (pread(matrices, c, sizeof c, (off_t)third->at) != (ssize_t)sizeof c) {
                return;
            }
            for (int i = 0; i < 6; i++) {
                c[i] *= 2;
            }
            if (pwrite(matrices, c, sizeof c, (off_t)third->at) != (ssize_t)sizeof c) {
                return;
            }
        }
        (void)send(socket, &answer, ANSWER_HEAD_BYTES, 0);
    }
}

static void behave_dead(int socket, int matrices) {
    (void)matrices;
    struct request request;
    (void)receive(socket, &request);
}

static void behave_silent(int socket, int matrices) {
    (void)matrices;
    struct request request;
    (void)receive(socket, &request);
    (void)sleep(60);
}

static void behave_short(int socket, int matrices) {
    (void)matrices;
    struct request request;
    (void)receive(socket, &request);
    (void)send(socket, "ok", 2, 0);
    (void)sleep(60);
}

static void behave_long(int socket, int matrices) {
    (void)matrices;
    struct request request;
    (void)receive(socket, &request);
    static char bytes[sizeof(struct answer) + 8];
    struct answer answer = answer_to(&request);
    memcpy(bytes, &answer, sizeof answer);
    (void)send(socket, bytes, sizeof bytes, 0);
    (void)sleep(60);
}

static void behave_stale(int socket, int matrices) {
    (void)matrices;
    struct request request;
    (void)receive(socket, &request);
    struct answer answer = answer_to(&request);
    answer.nonce--;
    (void)send(socket, &answer, ANSWER_HEAD_BYTES, 0);
    (void)sleep(60);
}

// Answers before it is asked: the second answer is already there when the second request is sent.
static void behave_ahead(int socket, int matrices) {
    (void)matrices;
    struct request request;
    (void)receive(socket, &request);
    struct answer answer = answer_to(&request);
    (void)send(socket, &answer, ANSWER_HEAD_BYTES, 0);
    (void)send(socket, &answer, ANSWER_HEAD_BYTES, 0);
    (void)sleep(60);
}

// Announces a race, and answers that there is none.
static void behave_forgetful(int socket, int matrices) {
    (void)matrices;
    struct request request;
    (void)receive(socket, &request);
    struct answer answer = answer_to(&request);
    struct announcement message = {
        .magic = ANNOUNCEMENT_MAGIC, .run = ANNOUNCED_ALONE, .nonce = request.nonce};
    message.finding = (struct finding){.kind = FINDING_RACE, .pc = 100, .count = 1};
    (void)send(socket, &message, sizeof message, 0);
    (void)send(socket, &answer, ANSWER_HEAD_BYTES, 0);
}

static void behave_shrinking(int socket, int matrices) {
    struct request request;
    while (receive(socket, &request)) {
        (void)!ftruncate(matrices, 0);
        struct answer answer = answer_to(&request);
        (void)send(socket, &answer, ANSWER_HEAD_BYTES, 0);
    }
}

static void behave_sealing(int socket, int matrices) {
    (void)fcntl(matrices, F_ADD_SEALS, F_SEAL_WRITE);
    behave_well(socket, matrices);
}

static const struct size two_three = {2, 3, 1};
static const float a[2] = {1, 2};
static const float b[3] = {3, 4, 5};
static const float c[6] = {6, 7, 8, 9, 10, 11};

static enum session_end setup_send(void) {
    static const struct shared_array_table table = {.count = 0};
    struct answer answer;
    struct error err = {.text = ""};
    ck_assert_msg(session_setup(&session, &table, 2000, &answer, &err) == STATUS_OK, "%s",
                  err.text);
    return session.end;
}

static struct answer answer;

static enum session_end launch_send(uint64_t deadline_ms) {
    struct request request;
    struct error err = {.text = ""};
    memset(&request, 0, sizeof request);
    request.size = two_three;
    request.arguments = product_arguments(2, 3, 1);
    const void *const array[ARGUMENTS_MAX] = {a, b, c};
    ck_assert_msg(session_launch(&session, &request, array, deadline_ms, &answer, &err) ==
                      STATUS_OK,
                  "%s", err.text);
    return session.end;
}

static enum status fetch(enum global_array array, float *ret_elements) {
    const struct arguments product = product_arguments(2, 3, 1);
    return session_fetch(&session, &product.list[array], ret_elements, NULL);
}

START_TEST(good_worker_answers_and_matrices_come_back) {
    start(behave_well);
    ck_assert_int_eq(setup_send(), SESSION_ANSWERED);
    ck_assert_int_eq(launch_send(2000), SESSION_ANSWERED);
    float got[6] = {0};
    ck_assert_int_eq(fetch(ARRAY_C, got), STATUS_OK);
    for (int i = 0; i < 6; i++) {
        ck_assert_float_eq(got[i], 2 * c[i]);
    }
    ck_assert_int_eq(fetch(ARRAY_B, got), STATUS_OK);
    ck_assert_float_eq(got[2], 5);
    ck_assert_int_eq(fetch(ARRAY_A, got), STATUS_OK);
    ck_assert_float_eq(got[1], 2);
    ck_assert_int_eq(launch_send(2000), SESSION_ANSWERED);
}
END_TEST

static const struct {
    const char *name;
    void (*behave)(int socket, int matrices);
    enum session_end end;
} liars[] = {
    {"dead", behave_dead, SESSION_DIED},      {"short", behave_short, SESSION_MALFORMED},
    {"long", behave_long, SESSION_MALFORMED}, {"old nonce", behave_stale, SESSION_MALFORMED},
    {"silent", behave_silent, SESSION_LATE},
};

START_TEST(bad_workers_are_told_apart) {
    start(liars[_i].behave);
    enum session_end end = launch_send(200);
    ck_assert_msg(end == liars[_i].end, "%s: end is %d", liars[_i].name, end);
}
END_TEST

START_TEST(answer_given_ahead_is_no_answer_to_the_next_request) {
    start(behave_ahead);
    ck_assert_int_eq(setup_send(), SESSION_ANSWERED);
    ck_assert_int_eq(launch_send(1000), SESSION_MALFORMED);
}
END_TEST

START_TEST(announced_finding_stands) {
    start(behave_forgetful);
    ck_assert_int_eq(launch_send(2000), SESSION_ANSWERED);
    ck_assert_uint_eq(answer.findings.count, 1);
    ck_assert_uint_eq(answer.findings.list[0].pc, 100);
}
END_TEST

START_TEST(worker_that_never_reads_is_late) {
    start(behave_silent);
    ck_assert_int_eq(launch_send(100), SESSION_LATE);
    ck_assert_int_eq(launch_send(100), SESSION_LATE);
}
END_TEST

START_TEST(request_to_a_dead_worker_is_died) {
    start(behave_dead);
    ck_assert_int_eq(launch_send(2000), SESSION_DIED);
    ck_assert_int_eq(launch_send(2000), SESSION_DIED);
}
END_TEST

START_TEST(worker_cannot_shrink_or_seal_the_matrices) {
    start(_i == 0 ? behave_shrinking : behave_sealing);
    ck_assert_int_eq(launch_send(2000), SESSION_ANSWERED);
    float got[6];
    ck_assert_int_eq(fetch(ARRAY_C, got), STATUS_OK);
    ck_assert_int_eq(launch_send(2000), SESSION_ANSWERED);
}
END_TEST

// Passed to session_watch: counts its calls, and after some of them says that the worker has ended.
struct watched {
    int calls;
    int ended_after;  // calls; 0 = never
};

static int watch(void *context) {
    struct watched *watched = context;
    watched->calls++;
    bool ended = watched->ended_after > 0 && watched->calls >= watched->ended_after;
    return ended ? SESSION_WATCH_ENDED : SESSION_WATCH_NONE;
}

START_TEST(output_is_watched_while_waiting) {
    struct watched watched = {.calls = 0};
    start(behave_silent);
    session_watch(&session, watch, &watched);
    ck_assert_int_eq(launch_send(450), SESSION_LATE);
    ck_assert_int_ge(watched.calls, 4);
}
END_TEST

// The socket stays open here, as if a child of the worker held it.
START_TEST(ended_worker_is_not_waited_for) {
    struct watched watched = {.ended_after = 2};
    start(behave_silent);
    session_watch(&session, watch, &watched);
    ck_assert_int_eq(launch_send(3000), SESSION_DIED);
    ck_assert_int_eq(watched.calls, 2);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("session");
    TCase *cases = tcase_create("session");
    tcase_set_timeout(cases, 10);
    tcase_add_checked_fixture(cases, NULL, teardown);
    tcase_add_test(cases, good_worker_answers_and_matrices_come_back);
    tcase_add_loop_test(cases, bad_workers_are_told_apart, 0, (int)(sizeof liars / sizeof *liars));
    tcase_add_test(cases, answer_given_ahead_is_no_answer_to_the_next_request);
    tcase_add_test(cases, announced_finding_stands);
    tcase_add_test(cases, worker_that_never_reads_is_late);
    tcase_add_test(cases, request_to_a_dead_worker_is_died);
    tcase_add_loop_test(cases, worker_cannot_shrink_or_seal_the_matrices, 0, 2);
    tcase_add_test(cases, output_is_watched_while_waiting);
    tcase_add_test(cases, ended_worker_is_not_waited_for);
    suite_add_tcase(suite, cases);
    return suite;
}

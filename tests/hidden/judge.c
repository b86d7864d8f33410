// Asks a worker for one launch after the other, each with a hidden store somewhere else in its
// memory.  The kernel's mistakes must stand, or there is no answer.
//
// Usage: judge WORKER
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "device/channel/session.h"
#include "hidden.h"
#include "judge/model/inputs.h"

#define DEADLINE_MS 20000
#define CPU_MS      2000

static struct session session;
static pid_t worker;

static bool worker_start(const char *path) {
    static const struct shared_array_table no_arrays;
    struct answer answer;
    if (session_open(&session, NULL)) {
        return false;
    }
    worker = fork();
    if (worker == 0) {
        // Not where the descriptors already are.
        int channel = dup2(session.worker_fd, 100);
        int matrices = dup2(session.matrices_fd, 101);
        int nothing = open("/dev/null", O_WRONLY);
        (void)dup2(nothing, STDOUT_FILENO);
        (void)dup2(nothing, STDERR_FILENO);  // the C library complains of a damaged heap
        if (dup2(channel, PROTOCOL_SOCKET_FD) >= 0 && dup2(matrices, PROTOCOL_MATRICES_FD) >= 0) {
            (void)close(channel);
            (void)close(matrices);
            (void)execl(path, path, (char *)NULL);
        }
        _exit(127);
    }
    session_started(&session);
    return session_setup(&session, &no_arrays, DEADLINE_MS, &answer, NULL) == STATUS_OK &&
           session.end == SESSION_ANSWERED;
}

static void worker_stop(void) {
    session_close(&session);
    (void)waitpid(worker, NULL, 0);
}

static int mappings_count(void) {
    char path[64];
    int lines = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)worker);
    FILE *maps = fopen(path, "r");
    for (int c; maps && (c = getc(maps)) != EOF;) {
        lines += c == '\n';
    }
    if (maps) {
        (void)fclose(maps);
    }
    return lines;
}

static struct { int found, stopped, silent, passed; } seen;

// One launch.  Returns false if a mistake vanished.
static bool launch(const char *path, struct size size) {
    static float a[1 << 16], b[1 << 16], c[1 << 16];
    const void *const before[ARGUMENTS_MAX] = {a, b, c};
    struct request request = {.size = size,
                              .arguments = arguments_of(signature_of_matmul(), size, NULL),
                              .access_budget = 1000000,
                              .time_ms_max = CPU_MS};
    struct answer answer;
    request.flags = REQUEST_CHECK;
    if (session_launch(&session, &request, before, DEADLINE_MS, &answer, NULL)) {
        return false;
    }
    if (session.end != SESSION_ANSWERED || answer.end == RUN_TROUBLE) {
        seen.silent++;
        worker_stop();
        return worker_start(path);
    }
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < answer.findings.count; i++) {
        kinds |= 1u << answer.findings.list[i].kind;
    }
    bool found = (kinds >> FINDING_RACE & 1) && (kinds >> FINDING_OUT_OF_BOUNDS & 1);
    seen.found += found;
    seen.stopped += !found && answer.end == RUN_STOPPED && kinds != 0;
    if (answer.end == RUN_STOPPED) {
        worker_stop();  // as the judge does
        if (!worker_start(path)) {
            return false;
        }
    }
    if (found || (answer.end == RUN_STOPPED && kinds != 0)) {
        return true;
    }
    seen.passed++;
    printf("mapping %d, place %d, kind %d: the mistakes have vanished (findings %x)\n", size.m,
           size.n, size.k, kinds);
    return true;
}

int main(int count, char **argument) {
    if (count != 2 || !worker_start(argument[1])) {
        (void)fprintf(stderr, "judge: no worker\n");
        return 3;
    }
    bool fine = true;
    // The last number is that of no mapping: the mistakes are found if nothing is stored.
    int mappings = mappings_count() + 8;
    for (int m = 1; fine && m <= mappings; m++) {
        for (int n = 1; fine && n <= PLACES; n++) {
            for (int k = 1; fine && k <= 2 * KIND_NOTHING; k++) {
                bool again = (k - 1) / 2 == KIND_FILL && n > 1;
                fine = again || launch(argument[1], (struct size){m, n, k});
            }
        }
    }
    for (int m = TARGETS; fine && m < TARGETS_END; m++) {
        fine = launch(argument[1], (struct size){m, 1, 1}) &&
               launch(argument[1], (struct size){m, 1, 2});
    }
    worker_stop();
    printf("found %d, stopped %d, no answer %d, vanished %d\n", seen.found, seen.stopped,
           seen.silent, seen.passed);
    return !fine ? 3 : seen.passed > 0 || seen.found == 0;
}

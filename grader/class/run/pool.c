// See pool.h.  Invariant: each job is in the queue, in a slot, or over; it is in the queue twice at
// most.
#include "class/run/pool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/pool.h"
#include "base/text.h"
#include "base/words.h"

#define TRIES_MAX      2
#define TROUBLES_LEAST 4     // in a row, before the machine is at fault
#define WORDS_MAX      32    // of a job's command line
#define OUTPUT_BYTES   4096  // of what a job says that are looked at
#define WAIT_S         1

// A worker may take 4 GiB (judge/run/worker.c), and the judge, the reference's worker and a
// compiler need the rest.
#define JOB_BYTES (4352ull << 20)
#define GPU_BYTES (1536ull << 20)  // two CUDA processes, and outputs that wait to be verified

struct slot {
    pid_t pid;  // 0: free
    int job;
    int said_fd;
};

struct run {
    const struct class_pool *pool;
    struct class_outcome *outcomes;
    struct slot *slots;    // [pool->jobs]
    unsigned char *tries;  // [job_count]
    int *queue;            // [TRIES_MAX * job_count]
    int queued, taken;
    int troubles;  // in a row
    struct class_progress progress;
    uint64_t began_ms;
};

// --- How many at a time -------------------------------------------------------------------------

// The number after `key` in a file of the system; 0 if there is none.
static uint64_t number_in(const char *path, const char *key) {
    unsigned long long number = 0;
    char line[256];
    FILE *file = fopen(path, "re");
    while (file && number == 0 && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)) == 0) {
            number = strtoull(line + strlen(key), NULL, 10);
        }
    }
    if (file) {
        (void)fclose(file);
    }
    return number;
}

// Bytes that are free, for this container too.
static uint64_t memory_free(void) {
    uint64_t bytes = number_in("/proc/meminfo", "MemAvailable:") << 10;
    uint64_t limit = number_in("/sys/fs/cgroup/memory.max", "");
    uint64_t used = number_in("/sys/fs/cgroup/memory.current", "");
    uint64_t left = limit > used ? limit - used : 0;
    return limit != 0 && left < bytes ? left : bytes;
}

int class_pool_size(bool gpu, int *ret_room) {
    uint64_t room = memory_free() / (gpu ? JOB_BYTES + GPU_BYTES : JOB_BYTES);
    int jobs = pool_processors();
    *ret_room = room < 1 ? 1 : room > POOL_JOBS_MAX ? POOL_JOBS_MAX : (int)room;
    jobs = jobs > POOL_JOBS_MAX ? POOL_JOBS_MAX : jobs;
    return jobs < *ret_room ? jobs : *ret_room;
}

// --- One job ------------------------------------------------------------------------------------

// In the new process: a group of its own, so that ^C reaches the pool alone; and an end with the
// pool's, however that ends.
static _Noreturn void job_exec(char *const *words, int said_fd, pid_t parent) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && setpgid(0, 0) == 0 &&
        dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
        dup2(said_fd, STDERR_FILENO) >= 0) {
        (void)execv(words[0], words);
    }
    _exit(EXIT_FAILURE);
}

static enum status job_start(struct run *run, struct slot *slot, int job, struct error *err) {
    char *words[WORDS_MAX + 2];
    char pseudonym[PSEUDONYM_BYTES];
    int count = 0;
    for (; run->pool->command[count]; count++) {
        assert(count < WORDS_MAX);
        words[count] = run->pool->command[count];
    }
    memcpy(pseudonym, run->pool->plan->jobs[job].pseudonym, sizeof pseudonym);
    words[count] = pseudonym;
    words[count + 1] = NULL;
    int said_fd = memfd_create("job", MFD_CLOEXEC);
    if (said_fd < 0) {
        return fail_errno(err, STATUS_SYSTEM, "cannot start a process");
    }
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        job_exec(words, said_fd, parent);
    }
    if (pid < 0) {
        enum status status = fail_errno(err, STATUS_SYSTEM, "cannot start a process");
        (void)close(said_fd);
        return status;
    }
    *slot = (struct slot){.pid = pid, .job = job, .said_fd = said_fd};
    run->tries[job]++;
    run->progress.running++;
    return STATUS_OK;
}

// The last line that a job has printed; "" if none.
static void last_line(int said_fd, char text[TROUBLE_BYTES]) {
    char said[OUTPUT_BYTES];
    off_t end = lseek(said_fd, 0, SEEK_END);
    off_t from = end > (off_t)sizeof said - 1 ? end - ((off_t)sizeof said - 1) : 0;
    ssize_t bytes = pread(said_fd, said, sizeof said - 1, from);
    bytes = bytes > 0 ? bytes : 0;
    while (bytes > 0 && said[bytes - 1] == '\n') {
        bytes--;
    }
    said[bytes] = '\0';
    const char *line = strrchr(said, '\n');
    (void)snprintf(text, TROUBLE_BYTES, "%.*s", TROUBLE_BYTES - 1, line ? line + 1 : said);
    text_clean(text);
    text_end(text);
}

// Why a job that has ended as `state` says gave no result.
static void trouble_describe(const struct slot *slot, int state, char text[TROUBLE_BYTES]) {
    if (WIFSIGNALED(state)) {
        (void)snprintf(text, TROUBLE_BYTES, _("its process was ended by signal %d"),
                       WTERMSIG(state));
        return;
    }
    last_line(slot->said_fd, text);
    if (text[0] == '\0') {
        (void)snprintf(text, TROUBLE_BYTES, _("its process ended with code %d and no result"),
                       WEXITSTATUS(state));
    }
}

// A job has given no result: it is tried again, or it is over.
static void job_failed(struct run *run, const struct slot *slot, int state) {
    const struct class_pool *pool = run->pool;
    struct class_outcome *outcome = &run->outcomes[slot->job];
    bool again = run->tries[slot->job] < TRIES_MAX;
    run->troubles += again;  // second tries come together, so that several in a row say nothing
    if (outcome->trouble[0] == '\0') {  // the job could not write it
        trouble_describe(slot, state, outcome->trouble);
        (void)class_trouble_write(pool->out, pool->plan->jobs[slot->job].pseudonym,
                                  outcome->trouble, NULL);
    }
    if (again) {
        run->queue[run->queued++] = slot->job;
    } else {
        run->progress.failed++;
    }
}

static enum status job_ended(struct run *run, struct slot *slot, int state, struct error *err) {
    const struct class_pool *pool = run->pool;
    struct class_outcome *outcome = &run->outcomes[slot->job];
    run->progress.running--;
    enum status status = class_outcome_read(pool->out, &pool->plan->jobs[slot->job], outcome, err);
    if (!status && outcome->done) {
        run->progress.done++;
        run->troubles = 0;
    } else if (!status) {
        job_failed(run, slot, state);
    }
    (void)close(slot->said_fd);
    slot->pid = 0;
    return status;
}

// --- All of them --------------------------------------------------------------------------------

static enum status slots_fill(struct run *run, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; !status && i < run->pool->jobs && run->taken < run->queued; i++) {
        if (run->slots[i].pid == 0) {
            status = job_start(run, &run->slots[i], run->queue[run->taken++], err);
        }
    }
    return status;
}

static enum status slots_reap(struct run *run, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; !status && i < run->pool->jobs; i++) {
        struct slot *slot = &run->slots[i];
        int state = 0;
        if (slot->pid != 0 && waitpid(slot->pid, &state, WNOHANG) == slot->pid) {
            status = job_ended(run, slot, state, err);
        }
    }
    return status;
}

// The supervisor of a job removes its scratch folder when it gets SIGTERM.
static void slots_stop(struct run *run) {
    for (int i = 0; i < run->pool->jobs; i++) {
        struct slot *slot = &run->slots[i];
        if (slot->pid != 0) {
            (void)kill(slot->pid, SIGTERM);
            while (waitpid(slot->pid, NULL, 0) < 0 && errno == EINTR) {
            }
            (void)close(slot->said_fd);
        }
    }
}

// So many failures in a row are the machine's.
static enum status troubles_check(const struct run *run, struct error *err) {
    int most = 2 * run->pool->jobs > TROUBLES_LEAST ? 2 * run->pool->jobs : TROUBLES_LEAST;
    if (run->troubles < most) {
        return STATUS_OK;
    }
    const char *why = "";
    for (int i = 0; i < run->pool->plan->job_count; i++) {
        why = run->outcomes[i].trouble[0] != '\0' ? run->outcomes[i].trouble : why;
    }
    return fail(err, STATUS_SYSTEM,
                "stopped, because %d tries in a row gave no result; the last reason: %s",
                run->troubles, why);
}

static enum status run_loop(struct run *run, struct error *err) {
    const struct class_pool *pool = run->pool;
    sigset_t child;
    const struct timespec wait = {WAIT_S, 0};
    (void)sigemptyset(&child);
    (void)sigaddset(&child, SIGCHLD);
    enum status status = slots_fill(run, err);
    while (!status && run->progress.running > 0) {
        run->progress.elapsed_ms = clock_ms() - run->began_ms;
        pool->told(pool->context, &run->progress);
        (void)sigtimedwait(&child, NULL, &wait);
        status = slots_reap(run, err);
        if (!status) {
            status = troubles_check(run, err);
        }
        if (!status) {
            status = slots_fill(run, err);
        }
    }
    slots_stop(run);
    return status;
}

enum status class_pool_run(const struct class_pool *pool, struct class_outcome *outcomes,
                           struct error *err) {
    size_t count = (size_t)pool->plan->job_count;
    struct run run = {.pool = pool,
                      .outcomes = outcomes,
                      .progress = {.total = pool->plan->job_count},
                      .began_ms = clock_ms()};
    sigset_t child;
    sigset_t before;
    assert(pool->jobs >= 1);
    run.slots = calloc((size_t)pool->jobs, sizeof *run.slots);
    run.tries = calloc(count + 1, sizeof *run.tries);
    run.queue = calloc(TRIES_MAX * count + 1, sizeof *run.queue);
    enum status status = run.slots && run.tries && run.queue
                             ? STATUS_OK
                             : fail(err, STATUS_NO_MEMORY, "no memory for the jobs of a class");
    for (int i = 0; !status && i < pool->plan->job_count; i++) {
        if (outcomes[i].done) {
            run.progress.earlier++;
        } else {
            run.queue[run.queued++] = i;
        }
    }
    run.progress.done = run.progress.earlier;
    if (!status) {
        (void)sigemptyset(&child);
        (void)sigaddset(&child, SIGCHLD);
        (void)sigprocmask(SIG_BLOCK, &child, &before);  // it stays until it is waited for
        status = run_loop(&run, err);
        (void)sigprocmask(SIG_SETMASK, &before, NULL);
    }
    free(run.slots);
    free(run.tries);
    free(run.queue);
    return status;
}

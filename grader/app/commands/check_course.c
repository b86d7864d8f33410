// `tilegrade check-course`: checks that every kernel of the course gets its expected verdict.
// Judging is mostly waiting for compilers, so one process per core takes jobs from a shared list.
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/commands/command.h"
#include "app/course/pages.h"
#include "app/course/prove.h"
#include "app/commands/judging.h"
#include "base/file.h"
#include "base/translate.h"

#define PROCESSES_MAX 64
#define POLL_NS       50000000L

// The process that took a job writes its outcome; it is read once `done` is set.
struct course_place {
    atomic_bool done;  // set after the outcome
    struct outcome outcome;
};

// Shared by the processes: who takes the next job, and the outcomes.
struct board {
    atomic_int next;
    struct course_place places[];
};

static size_t board_bytes(int job_count) {
    return sizeof(struct board) + (size_t)job_count * sizeof(struct course_place);
}

static enum status board_map(int job_count, struct board **ret_board, struct error *err) {
    void *board = mmap(NULL, board_bytes(job_count), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED) {
        return fail_errno(err, STATUS_NO_MEMORY, "cannot map shared memory");
    }
    *ret_board = board;
    return STATUS_OK;
}

// The outcome of an earlier job of the exercise whose data is wrong: every kernel fails alike, and
// an expected.c without end would take its time for each; NULL if there is none.
static const struct outcome *bad_data_find(const struct job_list *list, struct board *board,
                                           int job) {
    for (int i = 0; i < job; i++) {
        if (list->jobs[i].exercise == list->jobs[job].exercise &&
            atomic_load(&board->places[i].done) && board->places[i].outcome.bad_data) {
            return &board->places[i].outcome;
        }
    }
    return NULL;
}

static void jobs_work(const struct judge_options *judge, const struct job_list *list,
                      struct board *board) {
    for (;;) {
        int i = atomic_fetch_add(&board->next, 1);
        if (i >= list->count) {
            return;
        }
        const struct outcome *bad_data = bad_data_find(list, board, i);
        if (bad_data) {
            board->places[i].outcome = *bad_data;
        } else {
            course_prove(judge, &list->jobs[i], &board->places[i].outcome);
        }
        atomic_store(&board->places[i].done, true);
    }
}

static int processes_start(const struct judge_options *judge, const struct job_list *list,
                           struct board *board) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int wanted = cores > PROCESSES_MAX ? PROCESSES_MAX : cores < 1 ? 1 : (int)cores;
    int started = 0;
    (void)fflush(NULL);
    while (started < wanted) {
        pid_t child = fork();
        if (child < 0) {
            break;
        }
        if (child == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            jobs_work(judge, list, board);
            _exit(0);
        }
        started++;
    }
    return started;
}

// Prints an outcome; `told` is the one before it.  With `writes`, what was found goes into the
// first line of a wrong kernel that is open, or names another line.
static void outcome_print(const struct job *job, struct outcome *outcome,
                          const struct outcome *told, bool writes, struct tally *tally) {
    struct error err = {.text = ""};
    bool is_written = writes && outcome->found[0] != '\0' && !outcome->proven;
    if (is_written && course_expectation_write(job, outcome->found, &err)) {
        is_written = false;
        (void)snprintf(outcome->text, sizeof outcome->text, "%.500s", err.text);
    }
    const char *state = is_written         ? "written"
                        : outcome->skipped ? "skip"
                        : outcome->proven  ? "ok"
                        : outcome->trouble ? "TROUBLE"
                                           : "FAIL";
    (void)printf("%-8s%s\n", state, job->label);
    if (!outcome->proven || outcome->skipped) {
        // A mistake in an expected.c or an exercise.ini fails every kernel.
        bool is_told = told && strcmp(told->text, outcome->text) == 0;
        (void)printf("        %s\n", is_told ? _("(the same)") : outcome->text);
    }
    (void)fflush(stdout);
    outcome->proven = outcome->proven || is_written;
    tally->passed += outcome->proven && !outcome->skipped;
    tally->skipped += outcome->skipped;
    tally->failed += !outcome->proven;
    tally->trouble = outcome->trouble ? outcome->trouble : tally->trouble;
    tally->bad_data = outcome->bad_data || tally->bad_data;
}

// Prints outcomes as they come, in the order of the list, until all processes have ended.
static void outcomes_print(const struct job_list *list, struct board *board, int processes,
                           bool writes, struct tally *tally) {
    struct outcome none = {.trouble = STATUS_SYSTEM};
    const struct outcome *told = NULL;
    int printed = 0;
    int running = processes;
    (void)snprintf(none.text, sizeof none.text, "%s",
                   _("the judging process ended without an answer"));
    while (printed < list->count) {
        while (running > 0 && waitpid(-1, NULL, WNOHANG) > 0) {
            running--;
        }
        bool last_look = running == 0;
        while (printed < list->count) {
            bool done = atomic_load(&board->places[printed].done);
            if (!done && !last_look) {
                break;
            }
            struct outcome *outcome = done ? &board->places[printed].outcome : &none;
            outcome_print(&list->jobs[printed], outcome, told, writes, tally);
            told = outcome;
            printed++;
        }
        struct timespec pause = {0, POLL_NS};
        (void)nanosleep(&pause, NULL);
    }
    while (running > 0 && waitpid(-1, NULL, 0) > 0) {
        running--;
    }
}

static bool wants_gpu(const struct job_list *list) {
    for (int i = 0; i < list->count; i++) {
        if (list->jobs[i].exercise->needs_gpu) {
            return true;
        }
    }
    return false;
}

static enum status jobs_prove(const struct app *app, const struct job_list *list,
                              struct tally *tally, struct error *err) {
    struct judging judging = JUDGING_CLOSED;
    struct board *board = NULL;
    struct options one_device = *app->options;
    // A wrong kernel names the verdict that it gets without a GPU, unless it may use tensor cores.
    one_device.device = wants_gpu(list) ? CHOICE_AUTO : CHOICE_EMU;
    struct app emu_app = {.options = &one_device, .places = app->places, .course = app->course};
    enum status status = judging_open(&emu_app, app->places->root, NULL, &judging, err);
    if (!status) {
        status = board_map(list->count, &board, err);
    }
    if (!status) {
        judging.options.machine.jobs = 1;  // whole kernels are judged in parallel
        judging.options.seed = PUBLIC_SEED;
        int processes = processes_start(&judging.options, list, board);
        if (processes > 0) {
            outcomes_print(list, board, processes, app->options->write, tally);
        } else {
            status = fail_errno(err, STATUS_SYSTEM, "cannot start a process");
        }
        (void)munmap(board, board_bytes(list->count));
    }
    judging_close(&judging);
    return status;
}

enum status cmd_check_course(const struct app *app, enum exit_code *ret_code, struct error *err) {
    struct job_list list = {0};
    struct tally tally = {0};
    char references[PATH_BYTES_MAX];
    enum status status = place_make(app->places, references, err, "reference");
    if (!status && !app->course->has_references) {
        status =
            fail(err, STATUS_BAD_USAGE,
                 "%s: not found; only a course with its references can be checked", references);
    }
    if (!status) {
        status = course_jobs_list(app->course, &list, err);
    }
    if (!status) {
        status = jobs_prove(app, &list, &tally, err);
    }
    if (!status) {
        status = course_pages_prove(app->places, app->course, &tally, err);
    }
    course_jobs_done(&list);
    if (status) {
        return status;
    }
    if (tally.skipped > 0) {
        (void)printf(_("%d passed, %d failed, %d skipped\n"), tally.passed, tally.failed,
                     tally.skipped);
    } else {
        (void)printf(_("%d passed, %d failed\n"), tally.passed, tally.failed);
    }
    *ret_code = tally.trouble    ? EXIT_HARNESS
                : tally.bad_data ? EXIT_USAGE
                : tally.failed   ? EXIT_KERNELS
                                 : EXIT_ALL_WELL;
    return STATUS_OK;
}

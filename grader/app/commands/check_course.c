// `tilegrade check-course`: checks that every kernel of the course gets its expected verdict.
// Judging is mostly waiting for compilers, so one process per core takes jobs from a shared list.
//
// A job runs the judge exactly as a student's test does; only the folder with the kernel is made
// here. A verdict alone proves little: a wrong kernel must be caught at the expected lines, and a
// right one must have no finding.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/commands/commands.h"
#include "app/commands/course_jobs.h"
#include "app/commands/judging.h"
#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "exercise/stub.h"
#include "judge/compile/program_build.h"
#include "judge/judge.h"
#include "judge/model/judge_options.h"
#include "judge/model/judgement.h"
#include "judge/say/finding_text.h"
#include "sandbox/box.h"

#define OUTCOME_TEXT_MAX  512
#define OUTCOME_FOUND_MAX 64

struct outcome {
    bool proven;
    bool skipped;         // it needs a GPU: only the build was checked, and only with NVRTC
    enum status trouble;  // our own failure, not the course's
    bool bad_data;        // its exercise.ini or expected.c is wrong, so no kernel was judged
    char text[OUTCOME_TEXT_MAX];    // expected and got, if not proven
    char found[OUTCOME_FOUND_MAX];  // "race 19 25", for the first line of the file; ""
    struct job_sizes sizes;         // of a wrong kernel, if they are to be recorded
};

// The options for the jobs.
struct proving {
    const struct judge_options *judge;
    bool is_recorded;  // kernels run only at their sizes in sizes.txt
    bool records;      // searches for the sizes of wrong kernels
};

#define LINES_TEXT_BYTES 32  // " 22 28"

static bool is_slow(const struct exercise_result *result) {
    for (int i = 0; i < result->speed.count; i++) {
        if (result->speed.list[i].verdict == SPEED_SLOW) {
            return true;
        }
    }
    return false;
}

// The first finding that a right kernel must not have; NULL if there is none.
static const struct judged_finding *finding_first(const struct exercise_result *result) {
    for (int i = 0; i < result->findings.count; i++) {
        if (result->findings.list[i].finding.severity >= SEVERITY_WARNING) {
            return &result->findings.list[i];
        }
    }
    return NULL;
}

// The verdicts that a stub may get when it runs: it ends, and C is not the product.
static bool stub_run_good(enum verdict verdict) {
    return verdict == VERDICT_NOT_WRITTEN || verdict == VERDICT_WRONG_RESULT ||
           verdict == VERDICT_UNINITIALIZED || verdict == VERDICT_HOST;
}

static void verdict_compare(const struct exercise_result *result, enum verdict expected,
                            struct outcome *outcome) {
    char headline[WORDS_PLAIN_MAX];
    outcome->proven = result->verdict == expected;
    if (!outcome->proven) {
        (void)snprintf(outcome->text, sizeof outcome->text, _("expected %s, got %s: %s"),
                       verdict_name(expected), verdict_name(result->verdict),
                       words_plain(result->why.headline, headline));
    }
}

static void lines_add(struct job_lines *lines, uint32_t line) {
    if (line == 0 || (lines->count == 1 && lines->line[0] == (int)line)) {
        return;
    }
    bool first = lines->count == 1 && (int)line < lines->line[0];
    lines->line[1] = first ? lines->line[0] : (int)line;
    lines->line[0] = first || lines->count == 0 ? (int)line : lines->line[0];
    lines->count++;
}

// The lines of the verdict: the places of the first finding with this verdict; for a file that does
// not build, the line in "naive.cu:12: …".
static struct job_lines lines_seen(const struct exercise_result *result) {
    struct job_lines lines = {0};
    for (int i = 0; i < result->findings.count; i++) {
        const struct finding *finding = &result->findings.list[i].finding;
        if (finding->severity == SEVERITY_ERROR && finding_verdict(finding) == result->verdict) {
            lines_add(&lines, finding->line);
            lines_add(&lines, finding->other_line);
            return lines;
        }
    }
    uint32_t line = 0;
    char headline[WORDS_PLAIN_MAX];
    const char *mark = strstr(words_plain(result->why.headline, headline), ".cu:");
    if (mark && sscanf(mark, ".cu:%" SCNu32 ":", &line) == 1) {
        lines_add(&lines, line);
    }
    return lines;
}

static void lines_text(const struct job_lines *lines, char *text, size_t bytes) {
    text[0] = '\0';
    for (int i = 0, used = 0; i < lines->count; i++) {
        used += snprintf(text + used, bytes - (size_t)used, " %d", lines->line[i]);
    }
}

// The text for the first line of a wrong kernel: "race 19 25".
static void found_note(enum verdict verdict, const char *lines, struct outcome *outcome) {
    (void)snprintf(outcome->found, sizeof outcome->found, "%s%s", verdict_name(verdict), lines);
}

// `// expect: ?`: a kernel that passes, and is not slow, may be right, which only its author knows.
static void open_compare(const struct exercise_result *result, struct outcome *outcome) {
    const struct job_lines seen = lines_seen(result);
    char headline[WORDS_PLAIN_MAX];
    char lines[LINES_TEXT_BYTES];
    lines_text(&seen, lines, sizeof lines);
    if (result->verdict == VERDICT_PASS && !is_slow(result)) {
        (void)snprintf(outcome->text, sizeof outcome->text,
                       _("its first line says `// expect: ?`, but it passes: either it is right, "
                         "or [cases] lack a size at which its mistake shows"));
        return;
    }
    found_note(result->verdict, lines, outcome);
    if (result->verdict == VERDICT_PASS) {
        (void)snprintf(outcome->found, sizeof outcome->found, "slow");
    }
    (void)snprintf(outcome->text, sizeof outcome->text,
                   _("its first line says `// expect: ?`, and the result is `%s`, which WRITE=1 "
                     "writes: %s"),
                   outcome->found, words_plain(result->why.headline, headline));
}

// A wrong kernel that is caught at another line was caught for the wrong reason.
static void lines_compare(const struct course_job *job, const struct exercise_result *result,
                          struct outcome *outcome) {
    const struct job_lines seen = lines_seen(result);
    const struct job_lines *wanted = &job->lines;
    const char *verdict = verdict_name(job->expected);
    char headline[WORDS_PLAIN_MAX];
    char before[LINES_TEXT_BYTES];
    char after[LINES_TEXT_BYTES];
    lines_text(wanted, before, sizeof before);
    lines_text(&seen, after, sizeof after);
    if (strcmp(before, after) != 0) {
        outcome->proven = false;
        found_note(job->expected, after, outcome);
        (void)snprintf(outcome->text, sizeof outcome->text,
                       _("its first line says `// expect: %s%s`, but the result is `%s%s`: %s"),
                       verdict, before, verdict, after,
                       words_plain(result->why.headline, headline));
    }
}

// In a course with references, the student's file must be the output of `stubs`.
static void student_compare(const struct course_job *job, const struct exercise_result *result,
                            struct outcome *outcome) {
    outcome->proven = result->verdict == VERDICT_NOT_STARTED;
    if (!outcome->proven) {
        (void)snprintf(outcome->text, sizeof outcome->text,
                       _("student/%s.cu is not the stub of reference/%s.cu: `make stubs EX=%s "
                         "FORCE=1` writes it"),
                       job->exercise->name, job->exercise->name, job->exercise->name);
    }
}

// Compares the judge's result with the expected one: writes `proven`, and `text` if it is false;
// leaves the rest of *outcome unchanged.
static void course_compare(const struct course_job *job, const struct exercise_result *result,
                           struct outcome *outcome) {
    const struct judged_finding *finding = NULL;
    char plain[WORDS_PLAIN_MAX];
    switch (job->kind) {
    case JOB_STUB:
        verdict_compare(result, VERDICT_NOT_STARTED, outcome);
        return;
    case JOB_STUDENT:
        student_compare(job, result, outcome);
        return;
    case JOB_STUB_RUN:
        outcome->proven = stub_run_good(result->verdict);
        if (!outcome->proven) {
            (void)snprintf(
                outcome->text, sizeof outcome->text,
                _("expected not_written, wrong_result, uninitialized or host, got %s: %s"),
                verdict_name(result->verdict), words_plain(result->why.headline, plain));
        }
        return;
    case JOB_WRONG:
        if (job->is_open) {
            open_compare(result, outcome);
            return;
        }
        verdict_compare(result, job->expected, outcome);
        if (outcome->proven && job->expects_slow && !is_slow(result)) {
            outcome->proven = false;
            (void)snprintf(outcome->text, sizeof outcome->text,
                           _("expected slow, but the kernel is not slow"));
        }
        if (outcome->proven) {
            lines_compare(job, result, outcome);
        }
        return;
    case JOB_MUTANT:
        outcome->proven = result->verdict != VERDICT_PASS;
        outcome->skipped = result->verdict == VERDICT_BUILD_ERROR;
        (void)snprintf(outcome->text, sizeof outcome->text, "%s", verdict_name(result->verdict));
        return;
    case JOB_REFERENCE:
    case JOB_RIGHT:
        verdict_compare(result, VERDICT_PASS, outcome);
        finding = finding_first(result);
        if (outcome->proven && result->blind) {
            outcome->proven = false;
            (void)snprintf(
                outcome->text, sizeof outcome->text,
                _("C is right, but the CPU device did not see every element of A and B read"));
        }
        if (outcome->proven && finding) {
            outcome->proven = false;
            (void)snprintf(
                outcome->text, sizeof outcome->text, _("expected no finding, got %s: %s"),
                finding_kind_name(finding->finding.kind), words_plain(finding->message, plain));
        }
        return;
    }
}

#define GPU_BUILT_FOR "sm_80"  // without a GPU: the oldest architecture with TF32

// An unchanged stub is not compiled or run.  This adds tokens to it, but no behaviour.
#define STUB_CHANGE "\nstruct touched;\n"

// The bytes of the kernel file of a job.
static enum status kernel_text(const struct judge_options *judge, const struct course_job *job,
                               char **ret_text, size_t *ret_bytes, struct error *err) {
    if (job->kind == JOB_STUDENT && access(job->path, F_OK) != 0 && errno == ENOENT) {
        return fail(err, STATUS_BAD_DATA, "%s: not found; `make stubs EX=%s` writes it", job->path,
                    job->exercise->name);
    }
    if (job->kind != JOB_STUB && job->kind != JOB_STUB_RUN) {
        return file_read(job->path, SOURCE_BYTES_MAX, ret_text, ret_bytes, err);
    }
    char *stub = NULL;
    enum status status = stub_of(judge->course, job->exercise, &stub, err);
    if (status) {
        return status;
    }
    *ret_text = xasprintf("%s%s", stub, job->kind == JOB_STUB_RUN ? STUB_CHANGE : "");
    *ret_bytes = strlen(*ret_text);
    free(stub);
    return STATUS_OK;
}

// True if the kernel must run for its proof but needs a GPU, as its exercise says.
static bool is_for_gpu(const struct course_job *job, const struct exercise_result *result) {
    return result->verdict == VERDICT_NEEDS_GPU && job->expected != VERDICT_NEEDS_GPU &&
           job->exercise->needs_gpu;
}

// True if this is the expected result of the GPU compiler for a kernel of this job.
static bool fault_good(const struct course_job *job, enum build_fault fault) {
    bool built = fault == BUILD_FAULT_NONE;
    if (job->kind != JOB_WRONG) {
        return built;
    }
    switch (job->expected) {
    case VERDICT_BUILD_ERROR:
        return fault == BUILD_FAULT_ERROR;
    case VERDICT_NOT_ALLOWED:
        return fault == BUILD_FAULT_NOT_ALLOWED;
    case VERDICT_NO_KERNEL:
        return fault == BUILD_FAULT_NO_KERNEL || fault == BUILD_FAULT_NO_CONFIG;
    case VERDICT_BAD_SIGNATURE:
        return fault == BUILD_FAULT_BAD_SIGNATURE;
    default:
        return built;
    }
}

// Without a GPU, a kernel that needs one is at least built, if NVRTC is installed.
static enum status built_compare(const struct judge_options *judge, const struct course_job *job,
                                 const char *text, size_t bytes, struct outcome *outcome,
                                 struct error *err) {
    struct judge_machine machine = judge->machine;
    struct run_program program;
    (void)snprintf(outcome->text, sizeof outcome->text,
                   _("needs a GPU, and NVRTC is not installed here"));
    outcome->proven = outcome->skipped = true;
    if (!machine.has_nvrtc) {
        return STATUS_OK;
    }
    (void)snprintf(machine.gpu.architecture, sizeof machine.gpu.architecture, "%s", GPU_BUILT_FOR);
    enum status status =
        run_build(&machine, DEVICE_GPU, job->exercise, (struct text){text, bytes}, &program, err);
    if (status) {
        return status;
    }
    outcome->proven = fault_good(job, program.report.fault);
    // A file that the compiler rightly refuses would not be run on a GPU either.
    outcome->skipped = outcome->proven && program.report.fault == BUILD_FAULT_NONE;
    if (program.report.text[0] == '\0') {
        (void)snprintf(outcome->text, sizeof outcome->text,
                       _("needs a GPU; it builds for %s without a message"), GPU_BUILT_FOR);
    } else {
        (void)snprintf(outcome->text, sizeof outcome->text,
                       program.report.fault == BUILD_FAULT_NONE
                           ? _("needs a GPU; it builds for %s: %.300s")
                           : _("needs a GPU; it does not build for %s: %.300s"),
                       GPU_BUILT_FOR, program.report.text);
    }
    run_program_done(&program);
    return STATUS_OK;
}

// Judges a kernel in the folder, only at these sizes if there are any.
static enum status text_judge(const struct judge_options *judge, const struct course_job *job,
                              const struct job_sizes *sizes, int folder_fd,
                              struct judgement **ret_judgement, struct error *err) {
    struct judge_options options = *judge;
    options.submission = folder_fd;
    options.only = job->exercise->name;
    options.only_size_count = sizes->count;
    memcpy(options.only_size, sizes->size, sizeof options.only_size);
    options.extras.speed = job->expects_slow || job->is_open;
    options.verdict_only = job->kind == JOB_MUTANT;
    options.uses[DEVICE_GPU] = judge->uses[DEVICE_GPU] && job->exercise->needs_gpu;
    return judge_submission(&options, ret_judgement, err);
}

// Looks for a few sizes that give the same outcome: the first size at which the kernel failed and
// the smallest, or one of these.
static enum status sizes_find(const struct judge_options *judge, const struct course_job *job,
                              const struct exercise_result *result, int folder_fd,
                              struct outcome *outcome, struct error *err) {
    struct size first = result->why.repeat_size;
    const struct size smallest = result->why.repeat_size;
    for (int i = result->cases.count - 1; i >= 0; i--) {
        const struct case_result *one = &result->cases.list[i];
        if (one->verdict == result->verdict) {
            first = one->size;
        }
    }
    const struct job_sizes tries[] = {{2, {first, smallest}}, {1, {first}}, {1, {smallest}}};
    enum status status = STATUS_OK;
    for (size_t i = size_equal(first, smallest); i < COUNT(tries) && smallest.m > 0; i++) {
        struct judgement *judgement = NULL;
        struct outcome alone = {.proven = false};
        status = text_judge(judge, job, &tries[i], folder_fd, &judgement, err);
        if (!status) {
            course_compare(job, &judgement->exercises[0], &alone);
        }
        judgement_free(judgement);
        if (status) {
            return status;
        }
        if (alone.proven == outcome->proven && strcmp(alone.found, outcome->found) == 0) {
            outcome->sizes = tries[i];
            return STATUS_OK;
        }
    }
    return status;
}

static enum status job_judge(const struct proving *proving, const struct course_job *job,
                             const char *folder, int folder_fd, struct outcome *outcome,
                             struct error *err) {
    static const struct job_sizes all = {.count = 0};
    const struct judge_options *judge = proving->judge;
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    struct judgement *judgement = NULL;
    enum status status = kernel_text(judge, job, &text, &bytes, err);
    if (!status) {
        status = path_make(path, err, "%s/%s.cu", folder, job->exercise->name);
    }
    if (!status) {
        status = file_write(path, text, bytes, err);
    }
    if (!status) {
        status = text_judge(judge, job, proving->is_recorded ? &job->sizes : &all, folder_fd,
                            &judgement, err);
        outcome->bad_data = status == STATUS_BAD_DATA;
    }
    if (!status && is_for_gpu(job, &judgement->exercises[0])) {
        status = built_compare(judge, job, text, bytes, outcome, err);
    } else if (!status) {
        course_compare(job, &judgement->exercises[0], outcome);
        bool is_told = outcome->proven || outcome->found[0] != '\0';
        if (proving->records && job->kind == JOB_WRONG && is_told) {
            status = sizes_find(judge, job, &judgement->exercises[0], folder_fd, outcome, err);
        }
    }
    judgement_free(judgement);
    free(text);
    return status;
}

static void course_prove(const struct proving *proving, const struct course_job *job,
                         struct outcome *ret_outcome) {
    struct outcome outcome = {.proven = false};
    struct error err = {.text = ""};
    char folder[PATH_BYTES_MAX];
    enum status status = box_scratch_make(NULL, folder, &err);
    if (!status) {
        int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
        status = fd < 0 ? fail_errno(&err, STATUS_SYSTEM, "%s", folder)
                        : job_judge(proving, job, folder, fd, &outcome, &err);
        (void)close(fd);
        (void)folder_remove(folder, NULL);
    }
    if (status) {
        // a missing or wrong file of the course is a failed check; anything else is our own failure
        outcome.trouble =
            status_exit_code(status) == status_exit_code(STATUS_BAD_DATA) ? STATUS_OK : status;
        outcome.proven = false;
        (void)snprintf(outcome.text, sizeof outcome.text, "%.*s", text_cut(err.text, 500),
                       err.text);
    }
    *ret_outcome = outcome;
}

#define PROCESSES_MAX 64
#define POLL_NS       50000000L

// The process that took a job writes its outcome; it is read once `done` is set.
struct course_place {
    atomic_bool done;  // set after the outcome
    struct outcome outcome;
};

// Shared by the processes: the number of the next job, and the outcomes.
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

// The outcome of an earlier job of an exercise with wrong data, or NULL: every kernel fails in the
// same way, and an endless expected.c would take its full time for each.
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

static void jobs_work(const struct proving *proving, const struct job_list *list,
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
            course_prove(proving, &list->jobs[i], &board->places[i].outcome);
        }
        atomic_store(&board->places[i].done, true);
    }
}

static int processes_start(const struct proving *proving, const struct job_list *list,
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
            jobs_work(proving, list, board);
            _exit(0);
        }
        started++;
    }
    return started;
}

// Prints an outcome; `told` is the previous one.  With `writes`, the result is written into the
// first line of a wrong kernel whose line is open or has other line numbers.
static void outcome_print(const struct course_job *job, struct outcome *outcome,
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

static enum status jobs_prove(const struct app *app, struct job_list *list, struct tally *tally,
                              struct error *err) {
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
        const struct proving proving = {.judge = &judging.options,
                                        .is_recorded = app->options->recorded,
                                        .records = app->options->write};
        int processes = processes_start(&proving, list, board);
        if (processes > 0) {
            outcomes_print(list, board, processes, app->options->write, tally);
            for (int i = 0; i < list->count; i++) {
                list->jobs[i].sizes = board->places[i].outcome.sizes;
            }
            status = app->options->write ? course_sizes_write(app->course, list, err) : STATUS_OK;
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

// `tilegrade debug NAME`: gdb on a kernel on the CPU device, in the thread of the last finding.
//
// The worker reads the failing launch from a file, so that gdb's `run` starts it as often as one
// likes.  It runs as a program of the student's own, without a sandbox: no ptrace would be allowed
// in there (THREATS.md).  The threads of a kernel are fibers of one thread of the process, so one
// of them is chosen by the machine's variables.
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/commands/commands.h"
#include "app/commands/judging.h"
#include "app/standing.h"
#include "app/supervise.h"
#include "app/terminal/terminal.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "device/source/source_check.h"
#include "emu/wire/finding.h"
#include "judge/compile/program_build.h"
#include "judge/run/cases.h"
#include "judge/submission/submission.h"

#define GDB "gdb"

#if defined(__x86_64__)
#define FIRST_ARGUMENT "$rdi"
#else
#define FIRST_ARGUMENT "$x0"
#endif

// Where to stop.
struct aim {
    struct size size;
    uint32_t line;  // 0: the beginning of the kernel
    uint32_t block[3], thread[3];
};

// A line that begins several blocks.
static struct size size_default(const struct exercise *exercise) {
    int i = exercise->case_count - 1;
    while (i > 0 && strcmp(exercise->cases[i].name, "ragged") != 0) {
        i--;
    }
    return exercise->cases[i].size;
}

// The last finding, if it belongs to the present file, and the requested size.
static enum status aim_take(const struct app *app, const struct exercise *exercise, struct aim *aim,
                            struct error *err) {
    const struct options *options = app->options;
    struct last_test last = last_test_of(app->places, exercise);
    enum status status = STATUS_OK;
    *aim = (struct aim){.size = size_default(exercise), .line = last.line};
    memcpy(aim->block, last.block, sizeof aim->block);
    memcpy(aim->thread, last.thread, sizeof aim->thread);
    aim->size = last.size.m > 0 ? last.size : aim->size;
    if (options->size.m > 0) {
        aim->size = options->size;
        status = signature_size_fit(&exercise->signature, &aim->size, err);
    }
    return status;
}

// --- gdb ----------------------------------------------------------------------------------------

static void index_condition(FILE *out, const char *symbol, const uint32_t index[3]) {
    for (int i = 0; i < 3; i++) {
        (void)fprintf(out, "%s((unsigned *)&%s)[%d] == %u", i > 0 ? " && " : "", symbol, i,
                      index[i]);
    }
}

// Each reported mistake passes through findings_kept, usually in the thread that made it; then the
// kernel's frame is the place in the finding.
static void finding_stop(FILE *out) {
    (void)fprintf(out,
                  "break *findings_kept if ((unsigned *)%1$s)[%2$d] == %3$d\n"
                  "commands\n"
                  "silent\n"
                  "set $tg_pc = *(unsigned long *)((char *)%1$s + %4$d)\n"
                  "set $tg_other = *(unsigned long *)((char *)%1$s + %5$d)\n"
                  "set $tg_at = (unsigned *)((char *)%1$s + %6$d)\n"
                  "set $tg_up = 0\n"
                  "printf \"\\nmistake: block (%%u,%%u,%%u) thread (%%u,%%u,%%u)\\n\", $tg_at[0], "
                  "$tg_at[1], $tg_at[2], $tg_at[3], $tg_at[4], $tg_at[5]\n"
                  "while $pc != $tg_pc && $pc + 1 != $tg_pc && $pc != $tg_other && $tg_up < 32\n"
                  "up-silently\n"
                  "set $tg_up = $tg_up + 1\n"
                  "end\n"
                  "frame\n"
                  "end\n",
                  FIRST_ARGUMENT, (int)(offsetof(struct finding, severity) / sizeof(unsigned)),
                  SEVERITY_ERROR, (int)offsetof(struct finding, pc),
                  (int)offsetof(struct finding, other_pc), (int)offsetof(struct finding, block));
}
_Static_assert(offsetof(struct finding, thread) == offsetof(struct finding, block) + 12,
               "a finding's thread follows its block");

static enum status script_write(const struct run_program *program, const struct aim *aim,
                                const char *path, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = xopen_memstream(&text, &bytes);
    // gdb must not stop at, or warn of, anything that the machine's timer and address space need.
    (void)fprintf(out, "set pagination off\nset confirm off\nset startup-with-shell off\n"
                       "set disable-randomization off\nhandle SIGPROF nostop noprint pass\n"
                       "set filename-display absolute\nset basenames-may-differ on\n"
                       "macro define threadIdx (*(uint3 *)&emu_thread_index)\n"
                       "macro define blockIdx (*(uint3 *)&emu_block_index)\n"
                       "macro define blockDim (*(dim3 *)&emu_block_extent)\n"
                       "macro define gridDim (*(dim3 *)&emu_grid_extent)\n");
    finding_stop(out);
    if (aim->line > 0) {
        (void)fprintf(out, "break " BUILD_SOURCE ":%u if ", aim->line);
    } else {
        (void)fprintf(out, "break %s if ", program->kernel);
    }
    index_condition(out, "emu_block_index", aim->block);
    (void)fputs(" && ", out);
    index_condition(out, "emu_thread_index", aim->thread);
    // At the first instruction of a function, its parameters have no values yet.
    (void)fputs(aim->line > 0 ? "\nrun\n" : "\ncommands\nsilent\nnext\nend\nrun\n", out);
    xclose_memstream(out, &text);
    enum status status = file_write(path, text, strlen(text), err);
    free(text);
    return status;
}

static _Noreturn void gdb_become(char *script, char *worker, char *launch) {
    char gdb[] = GDB;
    char quiet[] = "-q";
    char commands[] = "-x";
    char arguments[] = "--args";
    char *const argument[] = {gdb, quiet, commands, script, arguments, worker, launch, NULL};
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGQUIT, SIG_DFL);
    if (unsetenv("DEBUGINFOD_URLS") == 0) {
        (void)execvp(GDB, argument);
    }
    _exit(EXIT_HARNESS);
}

static enum status gdb_run(char *script, char *worker, char *launch, struct error *err) {
    int state = 0;
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        gdb_become(script, worker, launch);
    }
    if (child < 0) {
        return fail_errno(err, STATUS_SYSTEM, "cannot start a process");
    }
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    return STATUS_OK;
}

static enum status gdb_find(struct error *err) {
    const char *folders = getenv("PATH");
    bool found = false;
    for (const char *at = folders ? folders : ""; *at != '\0' && !found;) {
        char path[PATH_BYTES_MAX];
        size_t length = strcspn(at, ":");
        found = !path_make(path, NULL, "%.*s/" GDB, (int)length, at) && access(path, X_OK) == 0;
        at += length + (at[length] == ':');
    }
    return found ? STATUS_OK
                 : fail(err, STATUS_UNAVAILABLE,
                        "%s is missing here: `sudo apt-get install gdb` installs it", GDB);
}

// --- The kernel ---------------------------------------------------------------------------------

static void aim_say(const struct aim *aim, const char *file) {
    char size[SIZE_TEXT_MAX];
    char text[ERROR_TEXT_MAX];
    char where[PATH_BYTES_MAX + 16];
    struct terminal terminal = terminal_of(stdout, "", "");
    const uint32_t *block = aim->block;
    const uint32_t *thread = aim->thread;
    size_format(aim->size, size);
    if (aim->line > 0) {
        (void)snprintf(where, sizeof where, "%s:%u", file, aim->line);
    } else {
        (void)snprintf(where, sizeof where, "%s", _("the kernel's first line"));
    }
    (void)snprintf(
        text, sizeof text,
        _("size %s, block (%u,%u,%u) thread (%u,%u,%u): stops at %s, and where the grader "
          "reports a mistake."),
        size, block[0], block[1], block[2], thread[0], thread[1], thread[2], where);
    terminal_wrap(&terminal, 0, text);
    terminal_wrap(&terminal, 0,
                  _("`info locals` and `print threadIdx` show values, `next` goes on by a line, "
                    "`continue` to the next stop, `run` begins again, `quit` ends."));
}

// gdb then shows the student's own file: it resolves links.
static enum status source_link(const struct app *app, const struct run_program *program,
                               const char *file, struct error *err) {
    char from[PATH_BYTES_MAX];
    char to[PATH_BYTES_MAX];
    enum status status = path_make(from, err, "%s/" BUILD_SOURCE, program->scratch);
    status = status ? status : path_make(to, err, "%s/%s", app->places->root_real, file);
    if (!status && (unlink(from) != 0 || symlink(to, from) != 0)) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", from);
    }
    return status;
}

static enum status program_debug(const struct app *app, const struct run_program *program,
                                 const struct aim *aim, struct seed seed,
                                 const struct exercise *exercise, struct error *err) {
    const struct planned_case planned = case_of(exercise, seed, INPUTS_EXACT, aim->size);
    char file[PATH_BYTES_MAX];
    char script[PATH_BYTES_MAX];
    char worker[PATH_BYTES_MAX];
    char launch[PATH_BYTES_MAX];
    enum status status = path_make(file, err, "student/%s.cu", exercise->name);
    status = status ? status : source_link(app, program, file, err);
    status = status ? status : path_make(script, err, "%s/gdb", program->scratch);
    status = status ? status : path_make(worker, err, "%s/worker", program->scratch);
    status = status ? status : path_make(launch, err, "%s/launch", program->scratch);
    status = status ? status : run_case_record(program, &planned, REQUEST_CHECK, launch, err);
    status = status ? status : script_write(program, aim, script, err);
    if (!status) {
        aim_say(aim, file);
        status = gdb_run(script, worker, launch, err);
    }
    return status;
}

static enum status kernel_build(const struct judging *judging, const struct exercise *exercise,
                                struct run_program *ret_program, struct error *err) {
    char file[PATH_BYTES_MAX];
    struct submitted source;
    char *text = NULL;
    size_t bytes = 0;
    struct build_report report = {.fault = BUILD_FAULT_NONE};
    if (exercise->is_program) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s is a program: gdb is for kernels alone; `make run FILE=` runs the file if "
                    "it has a main",
                    exercise->name);
    }
    enum status status = path_make(file, err, "%s.cu", exercise->name);
    status = status ? status : submitted_read(judging->options.submission, file, &source, err);
    if (status) {
        return status;
    }
    if (source.verdict != VERDICT_PASS) {
        status = fail(err, STATUS_BAD_USAGE, "%s", source.headline);
    }
    if (!status) {
        text = source_prepare(source.text, source.bytes, &bytes, &report);
    }
    if (text) {
        status = run_build(&judging->options.machine, DEVICE_EMU, exercise,
                           (struct text){text, bytes}, ret_program, err);
        report.fault = status ? BUILD_FAULT_NONE : ret_program->report.fault;
    }
    if (!status && report.fault != BUILD_FAULT_NONE) {
        status = fail(err, STATUS_BAD_USAGE,
                      "%s does not compile for the CPU device, so that there is nothing to debug: "
                      "`make test EX=%s` says why",
                      file, exercise->name);
        run_program_done(ret_program);
    }
    free(text);
    submitted_done(&source);
    return status;
}

static enum status exercise_debug(const struct app *app, const struct exercise *exercise,
                                  struct error *err) {
    struct judging judging = JUDGING_CLOSED;
    struct run_program program = {.scratch = ""};
    struct aim aim;
    enum status status = gdb_find(err);
    status = status ? status : aim_take(app, exercise, &aim, err);
    status = status ? status : judging_open(app, NULL, NULL, &judging, err);
    judging.options.machine.debugs = true;
    status = status ? status : kernel_build(&judging, exercise, &program, err);
    if (!status) {
        struct seed seed = app->options->has_seed ? app->options->seed : PUBLIC_SEED;
        status = program_debug(app, &program, &aim, seed, exercise, err);
        run_program_done(&program);
    }
    judging_close(&judging);
    return status;
}

enum status cmd_debug(const struct app *app, enum exit_code *ret_code, struct error *err) {
    struct options options = *app->options;
    struct app on_cpu = *app;
    options.device = CHOICE_EMU;
    on_cpu.options = &options;
    if (!options.exercise || app->course->exercise_count != 1) {
        return fail(err, STATUS_BAD_USAGE, "name one exercise, as in EX=%s",
                    app->course->exercises[0].name);
    }
    // ^C is for gdb.
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGQUIT, SIG_IGN);
    enum status status = supervise(_("interrupted"), err);
    *ret_code = EXIT_ALL_WELL;
    return status ? status : exercise_debug(&on_cpu, &on_cpu.course->exercises[0], err);
}

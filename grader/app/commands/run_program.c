// `tilegrade run FILE`: a whole CUDA program on the CPU device, with the terminal as its own, and
// then its mistakes.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands/commands.h"
#include "app/commands/judging.h"
#include "app/terminal/terminal.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "judge/compile/program_build.h"
#include "judge/result/result.h"
#include "judge/run/program_run.h"

char **words_of(const char *text, char *const *before, char **ret_text) {
    size_t count = 0;
    char *rest = NULL;
    *ret_text = xstrdup(text ? text : "");
    char **words = xcalloc(strlen(*ret_text) / 2 + 2, sizeof *words);
    for (char *word = strtok_r(*ret_text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        words[count++] = word;
    }
    size_t more = 0;
    while (before && before[more]) {
        more++;
    }
    words = xrealloc(words, (count + more + 1) * sizeof *words);
    memcpy(words + count, before ? before : words, more * sizeof *words);
    words[count + more] = NULL;
    return words;
}

static bool is_right(const struct program_result *result) {
    for (int i = 0; i < result->findings.count; i++) {
        if (result->findings.list[i].finding.severity == SEVERITY_ERROR) {
            return false;
        }
    }
    return result->exit_code == 0;
}

// Writes OUT/result.json, if OUT is given.
static enum status result_store(const struct app *app, const struct run_program *program,
                                const struct program_result *result, struct error *err) {
    char out[PATH_BYTES_MAX];
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    if (!app->options->out) {
        return STATUS_OK;
    }
    enum status status = judging_out_make(app, "", out, err);
    if (!status) {
        status = path_make(path, err, "%s/result.json", out);
    }
    if (!status) {
        status = result_write_program(program, result, TILEGRADE_VERSION, &text, err);
    }
    if (!status) {
        status = file_write(path, text, strlen(text), err);
    }
    free(text);
    return status;
}

// Builds the program and runs it.
static enum status program_try(const struct app *app, const struct judging *judging,
                               char *const *files, char *const *flags, char *const *arguments,
                               enum exit_code *ret_code, struct error *err) {
    const struct program_source source = {.path = files[0],
                                          .further = (const char *const *)files + 1,
                                          .options = (const char *const *)flags};
    struct run_program program = {.scratch = ""};
    struct program_result *result = xcalloc(1, sizeof *result);
    char folder[PATH_BYTES_MAX];
    enum status status = run_build_program(&judging->options.machine, &source, &program, err);
    *ret_code = EXIT_KERNELS;
    if (!status && program.report.fault != BUILD_FAULT_NONE) {
        struct terminal terminal = terminal_of(stdout, "", "");
        terminal_program_fault(&terminal, files[0], &program);
        status = result_store(app, &program, result, err);
        run_program_done(&program);
        free(result);
        return status;
    }
    if (!status && !getcwd(folder, sizeof folder)) {
        status = fail_errno(err, STATUS_SYSTEM, "the folder of this process");
    }
    const struct submitted text = {.text = program.files.text, .bytes = program.files.bytes};
    status = status ? status : program_run(&program, folder, arguments, &text, result, err);
    if (!status) {
        struct terminal terminal = terminal_of(stdout, "", "");
        terminal_program(&terminal, files[0], &program.files, result);
        *ret_code = is_right(result) ? EXIT_ALL_WELL : EXIT_KERNELS;
        status = result_store(app, &program, result, err);
    }
    run_program_done(&program);
    free(result);
    return status;
}

enum status cmd_run(const struct app *app, enum exit_code *ret_code, struct error *err) {
    const struct options *options = app->options;
    struct judging judging = JUDGING_CLOSED;
    char *file_text = NULL;
    char *flag_text = NULL;
    char *argument_text = NULL;
    char **files = words_of(options->file, options->passed, &file_text);
    char **flags = words_of(options->flags, NULL, &flag_text);
    char **arguments = words_of(options->args, options->after, &argument_text);
    enum status status = STATUS_OK;
    if (!files[0]) {
        status = fail(err, STATUS_BAD_USAGE, "name the program's file, as in FILE=prog.cu");
    } else {
        status = judging_machine_open(app, &judging, err);
    }
    if (!status) {
        status = program_try(app, &judging, files, flags, arguments, ret_code, err);
    }
    judging_close(&judging);
    free(files);
    free(flags);
    free(arguments);
    free(file_text);
    free(flag_text);
    free(argument_text);
    return status;
}

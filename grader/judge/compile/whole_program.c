// A whole program, from its files to the worker.
//
// Macros of -D become definitions at the start of each text, because some have the name of a
// parameter of a template in our headers.
//
// Below the folder `tree` of the scratch folder, each file of the program has its changed text at
// its own absolute path, so that it includes the others by the same names.  These are the files
// that it includes with quotes or finds in a folder of -I, as far as they are in the folder of the
// first file or in one of -I.  A line at the start of each text gives the name for messages:
// BUILD_SOURCE for the first file, whose unchanged text is in the scratch folder, where the
// inspector and the compiler's quotations look for it.
//
// Each file is compiled, rewritten and assembled alone; the first file comes last, because the
// inspector reads the assembly that is left.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/file.h"
#include "base/memory.h"
#include "device/compile/build_plan.h"
#include "device/compile/compiler_errors.h"
#include "device/compile/compiler_messages.h"
#include "device/source/program_text.h"
#include "judge/compile/program_build.h"
#include "sandbox/box.h"

#define FILES_MAX   256  // of a program, with those that it includes
#define OBJECTS_MAX 32   // further files on the command line
#define OPTIONS_MAX 40   // -I and -D

struct program_file {
    char *path;  // real and absolute
    char *text;
    size_t bytes;
    bool is_unit;  // compiled alone
};

struct staging {
    const struct program_source *source;
    struct run_program *program;
    char *folder[OPTIONS_MAX + 2];  // real paths: of the first file, then those of -I; ends in NULL
    int folders;
    char *option[2 * OPTIONS_MAX + 4];  // for the compiler; ends in NULL
    int options;
    char *macros;  // "#define N 8\n#undef M\n"
    struct program_file file[FILES_MAX];
    int files;
    struct program_kernels kernels;
};

static void staging_done(struct staging *staging) {
    for (int i = 0; i < staging->folders; i++) {
        free(staging->folder[i]);
    }
    for (int i = 0; i < staging->options; i++) {
        free(staging->option[i]);
    }
    for (int i = 0; i < staging->files; i++) {
        free(staging->file[i].path);
        free(staging->file[i].text);
    }
    free(staging->macros);
    program_kernels_done(&staging->kernels);
}

static bool is_c(const char *path) {
    size_t length = strlen(path);
    return length > 2 && strcmp(path + length - 2, ".c") == 0;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char *folder_of(const char *path) {
    return xstrndup(path, (size_t)(last_part(path) - path));  // with the slash
}

// True if a real path is in one of the program's folders.
static bool is_inside(const struct staging *staging, const char *path) {
    for (int i = 0; i < staging->folders; i++) {
        size_t length = strlen(staging->folder[i]);
        if (strncmp(path, staging->folder[i], length) == 0 && path[length] == '/') {
            return true;
        }
    }
    return false;
}

// --- The files -----------------------------------------------------------------------------------

// Takes over `path`.  Errors: as file_read.
static enum status file_add(struct staging *staging, char *path, bool is_unit, struct error *err) {
    for (int i = 0; i < staging->files; i++) {
        if (strcmp(staging->file[i].path, path) == 0) {
            free(path);
            return STATUS_OK;
        }
    }
    struct program_file *file = &staging->file[staging->files];
    *file = (struct program_file){.path = path, .is_unit = is_unit};
    enum status status = STATUS_OK;
    if (staging->files == FILES_MAX) {
        status = fail(err, STATUS_BAD_DATA, "%s: a program has at most %d files", path, FILES_MAX);
    } else {
        status = file_read(path, FILE_BYTES_MAX, &file->text, &file->bytes, err);
    }
    if (status) {
        free(path);
        return status;
    }
    staging->files++;
    return STATUS_OK;
}

// The real path of an included file; NULL if the program has none of that name.
static char *include_find(const struct staging *staging, const struct program_file *from,
                          const char *name, bool is_quoted) {
    char *own = folder_of(from->path);
    char *found = NULL;
    for (int i = is_quoted ? -1 : 0; i < staging->folders - 1 && !found && name[0] != '/'; i++) {
        char *path =
            i < 0 ? xasprintf("%s%s", own, name) : xasprintf("%s/%s", staging->folder[i + 1], name);
        struct stat about;
        char *real = realpath(path, NULL);
        if (real && is_inside(staging, real) && stat(real, &about) == 0 && S_ISREG(about.st_mode)) {
            found = xstrdup(real);
        }
        free(real);
        free(path);
    }
    free(own);
    return found;
}

// Our stand-ins come before the folders of -I.
static bool is_stand_in(const struct staging *staging, const char *name) {
    char path[PATH_BYTES_MAX];
    return !path_make(path, NULL, "%s/standin/%s", staging->program->machine->paths.include,
                      name) &&
           access(path, F_OK) == 0;
}

// Adds the files that one file includes.
static enum status includes_add(struct staging *staging, int at, struct error *err) {
    struct cpp_lexer lexer = cpp_open(staging->file[at].text, staging->file[at].bytes);
    char name[1024];
    bool is_quoted = false;
    enum status status = STATUS_OK;
    while (!status && program_include_next(&lexer, name, sizeof name, &is_quoted)) {
        char *path = is_stand_in(staging, name)
                         ? NULL
                         : include_find(staging, &staging->file[at], name, is_quoted);
        status = path ? file_add(staging, path, false, err) : STATUS_OK;
    }
    return status;
}

// The name of a file in messages: BUILD_SOURCE, or its path from the folder of the first file.
static const char *name_of(const struct staging *staging, int at) {
    const char *path = staging->file[at].path;
    size_t length = strlen(staging->folder[0]);
    bool below = strncmp(path, staging->folder[0], length) == 0 && path[length] == '/';
    return at == 0 ? BUILD_SOURCE : below ? path + length + 1 : path;
}

// The path of a changed text from the scratch folder.
static char *tree_path(const struct staging *staging, int at) {
    char *folder = folder_of(staging->file[at].path);
    char *path = xasprintf(BUILD_TREE "%s%s", folder,
                           at == 0 ? BUILD_SOURCE : last_part(staging->file[at].path));
    free(folder);
    return path;
}

// Makes the folders above a path below the scratch folder, for any user: the compiler may run as
// another one.
static enum status tree_folders_make(const char *scratch, const char *path, struct error *err) {
    enum status status = STATUS_OK;
    for (const char *slash = strchr(path, '/'); slash && !status; slash = strchr(slash + 1, '/')) {
        char folder[PATH_BYTES_MAX];
        status = path_make(folder, err, "%s/%.*s", scratch, (int)(slash - path), path);
        if (!status && (mkdir(folder, 0755) != 0 || chmod(folder, 0755) != 0) &&
            access(folder, X_OK) != 0) {
            status = fail_errno(err, STATUS_SYSTEM, "%s", folder);
        }
    }
    return status;
}

static enum status text_write(const char *scratch, const char *name, const char *text, size_t bytes,
                              struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = path_make(path, err, "%s/%s", scratch, name);
    FILE *out = status ? NULL : fopen(path, "we");
    bool done = out && fwrite(text, 1, bytes, out) == bytes;
    if (out) {
        done &= fclose(out) == 0;
    }
    if (!status && (!done || chmod(path, 0644) != 0)) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    return status;
}

// Writes the changed text of one file.
static enum status file_stage(const struct staging *staging, int at, struct error *err) {
    const struct program_file *file = &staging->file[at];
    char *path = tree_path(staging, at);
    char *changed = is_c(file->path)
                        ? xstrdup(file->text)
                        : program_text((struct text){file->text, file->bytes}, &staging->kernels);
    char *text = xasprintf("%s# 1 \"%s\"\n%s", staging->macros, name_of(staging, at), changed);
    enum status status = tree_folders_make(staging->program->scratch, path, err);
    if (!status) {
        status = text_write(staging->program->scratch, path, text, strlen(text), err);
    }
    free(text);
    free(changed);
    free(path);
    return status;
}

// Lists the files, and joins their texts.
static enum status files_list(struct staging *staging, struct error *err) {
    struct program_files *files = &staging->program->files;
    char *list = NULL;
    size_t list_bytes = 0;
    uint32_t lines = 0;
    FILE *out = xopen_memstream(&list, &list_bytes);
    FILE *all = xopen_memstream(&files->text, &files->bytes);
    files->name = xcalloc((size_t)staging->files, sizeof *files->name);
    files->before = xcalloc((size_t)staging->files, sizeof *files->before);
    for (int i = 0; i < staging->files; i++) {
        const struct program_file *file = &staging->file[i];
        bool ends = file->bytes == 0 || file->text[file->bytes - 1] == '\n';
        (void)fprintf(out, "%" PRIu32 " %s\n", lines, name_of(staging, i));
        (void)fwrite(file->text, 1, file->bytes, all);
        (void)fputs(ends ? "" : "\n", all);
        files->name[i] = xstrdup(i == 0 ? last_part(staging->source->path) : name_of(staging, i));
        files->before[i] = lines;
        files->count++;
        lines += (uint32_t)text_line_number(file->text, file->bytes) - (ends ? 1 : 0);
    }
    xclose_memstream(all, &files->text);
    xclose_memstream(out, &list);
    enum status status = text_write(staging->program->scratch, BUILD_FILES, list, list_bytes, err);
    free(list);
    return status;
}

const char *program_file_of(const struct program_files *files, uint32_t *line) {
    int at = 0;
    if (!files || files->count == 0) {
        return "";
    }
    while (at + 1 < files->count && files->before[at + 1] < *line) {
        at++;
    }
    *line -= files->before[at];
    return files->name[at];
}

// --- Options -------------------------------------------------------------------------------------

// Takes over `folder`.
static void folder_add(struct staging *staging, char *folder) {
    staging->folder[staging->folders++] = folder;
    staging->folder[staging->folders] = NULL;
}

static void option_add(struct staging *staging, char *option) {
    staging->option[staging->options++] = option;
}

// Takes over `earlier`, the definitions of the options before.
static char *macro_add(char *earlier, const char *option) {
    const char *name = option + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : "1";
    char *macros = option[1] == 'U'
                       ? xasprintf("%s#undef %s\n", earlier, name)
                       : xasprintf("%s#define %.*s %s\n", earlier, (int)length, name, value);
    free(earlier);
    return macros;
}

// The declaration of an exercise's function.  With another parameter list the file has an overload.
// Owns: the caller frees it.
static char *function_declare(const struct exercise *exercise) {
    char parameters[SIGNATURE_TEXT_BYTES];
    if (!exercise) {
        return xstrdup("");
    }
    signature_parameters(&exercise->signature, parameters);
    return xasprintf("%s%s%sextern \"C\" void %s(%s);\n",
                     strstr(parameters, "__half") ? "#include <cuda_fp16.h>\n" : "",
                     strstr(parameters, "__nv_bfloat16") ? "#include <cuda_bf16.h>\n" : "",
                     strstr(parameters, "_t ") ? "#include <stdint.h>\n" : "", exercise->name,
                     parameters);
}

// Reads the options: a folder of -I is looked for among the changed texts first.
static enum status options_read(struct staging *staging, struct error *err) {
    const char *const *option = staging->source->options;
    staging->macros = function_declare(staging->source->exercise);
    for (int i = 0; option && option[i]; i++) {
        if (i == OPTIONS_MAX) {
            return fail(err, STATUS_BAD_USAGE, "at most %d options -I and -D are taken", i);
        }
        if (strncmp(option[i], "-D", 2) == 0 || strncmp(option[i], "-U", 2) == 0) {
            staging->macros = macro_add(staging->macros, option[i]);
            continue;
        }
        if (strncmp(option[i], "-I", 2) != 0) {
            return fail(err, STATUS_BAD_USAGE, "%s: only -I and -D are taken", option[i]);
        }
        char *real = realpath(option[i] + 2, NULL);
        if (!real) {
            return fail_errno(err, STATUS_BAD_DATA, "%s", option[i] + 2);
        }
        option_add(staging, xasprintf("-I" BUILD_TREE "%s", real));
        if (sandbox_enters(staging->program->machine->sandbox, real)) {
            option_add(staging, xasprintf("-I%s", real));
        }
        folder_add(staging, real);
    }
    // For names that a macro makes; others are among the changed texts.
    if (sandbox_enters(staging->program->machine->sandbox, staging->folder[0])) {
        option_add(staging, xasprintf("-iquote%s", staging->folder[0]));
    }
    return STATUS_OK;
}

// Finds the files and writes their changed texts.
static enum status program_stage(struct staging *staging, struct error *err) {
    const struct program_source *source = staging->source;
    const char *const *further = source->further;
    char written[PATH_BYTES_MAX] = "";
    if (source->exercise) {
        enum status status = text_write(staging->program->scratch, BUILD_SOURCE, source->text.at,
                                        source->text.bytes, err);
        status = status ? status
                        : path_make(written, err, "%s/" BUILD_SOURCE, staging->program->scratch);
        if (status) {
            return status;
        }
    }
    char *path = realpath(source->exercise ? written : source->path, NULL);
    if (!path) {
        return fail_errno(err, status_of_errno(STATUS_BAD_DATA), "%s", source->path);
    }
    char *slash = strrchr(path, '/');
    folder_add(staging, slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path)));
    enum status status = file_add(staging, path, true, err);
    for (int i = 0; !status && further && further[i]; i++) {
        path = realpath(further[i], NULL);
        if (i == OBJECTS_MAX) {
            free(path);
            return fail(err, STATUS_BAD_USAGE, "%s: at most %d more files are taken", further[i],
                        OBJECTS_MAX);
        }
        status = path ? file_add(staging, path, true, err)
                      : fail_errno(err, status_of_errno(STATUS_BAD_DATA), "%s", further[i]);
    }
    if (!status) {
        status = options_read(staging, err);
    }
    for (int i = 0; i < staging->files && !status; i++) {
        status = includes_add(staging, i, err);
    }
    for (int i = 0; i < staging->files && !status; i++) {
        struct text text = {staging->file[i].text, staging->file[i].bytes};
        program_kernels_read(text, &staging->kernels);
    }
    for (int i = 0; i < staging->files && !status; i++) {
        status = file_stage(staging, i, err);
    }
    if (!status) {
        status = files_list(staging, err);
    }
    if (!status) {
        status = text_write(staging->program->scratch, BUILD_SOURCE, staging->file[0].text,
                            staging->file[0].bytes, err);
    }
    return status;
}

// --- The steps -----------------------------------------------------------------------------------

// The number of a line of a file, as a message names it, in the numbering of all files.
static int joined_line(const struct staging *staging, const char *file, int line) {
    for (int i = 0; i < staging->files && line > 0; i++) {
        if (strcmp(name_of(staging, i), file) == 0) {
            return (int)staging->program->files.before[i] + line;
        }
    }
    return 0;
}

static enum status compile_failed(const struct staging *staging, const struct run_step_end *end,
                                  struct build_report *report, struct error *err) {
    char file[PATH_BYTES_MAX] = BUILD_SOURCE;
    enum status status = program_errors_judge(end->output, end->exit_code, report, file, err);
    if (!status && end->text) {
        build_report_fault(report, BUILD_FAULT_ERROR, 0, "%s", end->text);
    }
    // The function has the right parameters and another result.
    if (staging->source->exercise && strstr(report->text, "ambiguating")) {
        report->fault = BUILD_FAULT_BAD_SIGNATURE;
    }
    report->line = joined_line(staging, file, report->line);
    free(report->diagnostics);
    report->diagnostics = program_messages_show(end->output, last_part(staging->source->path));
    return status;
}

// What the linker lacks, or has twice: the program's fault.
static bool link_failed(const char *output, struct build_report *report) {
    static const char undefined[] = "undefined reference to `";
    static const char twice[] = "multiple definition of `";
    const char *found = strstr(output, undefined);
    const char *again = strstr(output, twice);
    const char *name = found ? found + strlen(undefined) : again ? again + strlen(twice) : NULL;
    if (!name) {
        return false;
    }
    static const char source[] = BUILD_SOURCE ":";
    const char *place = strstr(output, source);
    int line = place && place < name ? (int)strtol(place + strlen(source), NULL, 10) : 0;
    int length = (int)strcspn(name, "'\n");
    static const char *const ours[] = {"emu_", "__tsan_", "__ubsan_", "cuda", "cu", "tilegrade"};
    if (found && text_starts_any(name, ours, COUNT(ours))) {
        build_report_fault(report, BUILD_FAULT_NEEDS_GPU, line,
                           "uses something that only a GPU can run (%.*s)", length, name);
    } else if (found) {
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "uses `%.*s`, which is declared but not defined in the file", length,
                           name);
    } else {
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "defines `%.*s` twice: in two files, or in a header that two files "
                           "include",
                           length, name);
    }
    return true;
}

// The host function of an exercise; NULL if the program has main.
static const char *function_of(const struct run_program *program) {
    return program->exercise ? program->kernel : NULL;
}

// A function of that name has other parameters, if the file has the name.
static void overload_find(struct run_program *program) {
    struct cpp_lexer lexer = cpp_open(program->files.text, program->files.bytes);
    struct cpp_token token;
    struct build_report *report = &program->report;
    while (report->fault == BUILD_FAULT_NO_KERNEL && cpp_next(&lexer, &token)) {
        if (cpp_is(&token, program->kernel)) {
            report->fault = BUILD_FAULT_BAD_SIGNATURE;
            report->line = token.line;
        }
    }
}

// Runs one step and ends it.  A failed step is an error of ours; *ret_end, if wanted, has its
// output, and the caller judges it.
static enum status step_do(struct build_step step, const struct run_program *program,
                           struct run_step_end *ret_end, struct error *err) {
    struct run_step_end end = {.output = NULL};
    enum status status = run_step(&step, program, &end, err);
    build_step_done(&step);
    if (status || ret_end) {
        if (!status) {
            *ret_end = end;
        }
        return status;
    }
    if (end.exit_code != 0) {
        status = fail(err, STATUS_SYSTEM, "build step '%s' failed with code %d: %.400s", step.what,
                      end.exit_code, end.output[0] != '\0' ? end.output : _("no message"));
    }
    free(end.output);
    return status;
}

// An inspection, and its report.
static enum status inspection_do(struct build_step step, struct run_program *program,
                                 struct error *err) {
    struct run_step_end end = {.output = NULL};
    char *diagnostics = program->report.diagnostics;
    int waits_line = program->report.waits_line;
    const char *what = step.what;
    enum status status = step_do(step, program, &end, err);
    if (!status && end.exit_code > 1) {
        status = fail(err, STATUS_SYSTEM, "build step '%s' failed with code %d: %.400s", what,
                      end.exit_code, end.output);
    }
    free(end.output);
    if (!status) {
        status = build_report_load(program->scratch, &program->report, err);
    }
    if (!status) {
        free(program->report.diagnostics);
        program->report.diagnostics = diagnostics;
        program->report.waits_line += waits_line;
        program->report.has_patterns = true;
    }
    return status;
}

// Finds a call that nvcc refuses and g++ takes: between host and device.
static void calls_check(const struct staging *staging, struct build_report *report) {
    struct program_names names = {.name = NULL};
    struct program_call call;
    program_macros_read((struct text){staging->macros, strlen(staging->macros)}, &names);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < staging->files; i++) {
            struct text text = {staging->file[i].text, staging->file[i].bytes};
            (pass == 0 ? program_macros_read : program_functions_read)(text, &names);
        }
    }
    for (int i = 0; i < staging->files && report->fault == BUILD_FAULT_NONE; i++) {
        struct text text = {staging->file[i].text, staging->file[i].bytes};
        if (is_c(staging->file[i].path) || !program_call_find(text, &names, &call)) {
            continue;
        }
        int line = joined_line(staging, name_of(staging, i), call.line);
        if (call.kind == CALLS_HOST) {
            build_report_fault(
                report, BUILD_FAULT_ERROR, line,
                "code of the device calls %s, which is a function of the host: write "
                "__device__ before its definition, or __host__ __device__",
                call.name);
        } else if (call.kind == CALLS_DEVICE) {
            build_report_fault(
                report, BUILD_FAULT_ERROR, line,
                "code of the host calls %s, which is a function of the device: write "
                "__host__ __device__ before its definition, or call it in a kernel",
                call.name);
        } else {
            build_report_fault(report, BUILD_FAULT_ERROR, line,
                               "%s is a kernel and is called like a function: launch it as "
                               "%s<<<blocks, threads>>>(…)",
                               call.name, call.name);
        }
    }
    program_names_done(&names);
}

// From one file to its object.  A fault in the report ends the build.
static enum status unit_build(struct staging *staging, int at, int object, struct error *err) {
    struct run_program *program = staging->program;
    const struct device_paths *paths = &program->machine->paths;
    const char *shown = at == 0 ? last_part(staging->source->path) : name_of(staging, at);
    char *text = tree_path(staging, at);
    char *name = xasprintf(BUILD_PROGRAM_OBJECT, object);
    struct build_program_file file = {text, shown, name, (const char *const *)staging->option,
                                      is_c(staging->file[at].path)};
    struct run_step_end end = {.output = NULL};
    enum status status = step_do(build_program_compile(paths, &file), program, &end, err);
    if (!status && (end.exit_code != 0 || end.text)) {
        status = compile_failed(staging, &end, &program->report, err);
    } else if (!status && at == 0 && program->report.fault == BUILD_FAULT_NONE) {
        program->report.diagnostics =
            program_messages_show(end.output, last_part(staging->source->path));
    }
    free(end.output);
    if (!status && program->report.fault == BUILD_FAULT_NONE && !file.is_c) {
        status = inspection_do(build_program_rewrite(paths), program, err);
        if (!status && program->report.fault == BUILD_FAULT_NONE) {
            status = step_do(build_program_assemble(name), program, NULL, err);
        }
    }
    if (!status && program->report.fault == BUILD_FAULT_NONE) {
        status = step_do(build_program_trim(paths, name, function_of(program)), program, NULL, err);
    }
    free(name);
    free(text);
    return status;
}

static enum status program_link(struct run_program *program, int objects, struct error *err) {
    const struct device_paths *paths = &program->machine->paths;
    struct run_step_end end = {.output = NULL};
    enum status status =
        inspection_do(build_program_objects(paths, program->kernel, objects), program, err);
    if (status || program->report.fault != BUILD_FAULT_NONE) {
        overload_find(program);
        return status;
    }
    status = step_do(build_program_link(paths, objects, function_of(program)), program, &end, err);
    if (!status && end.exit_code != 0 && !link_failed(end.output, &program->report)) {
        status = fail(err, STATUS_SYSTEM, "build step '%s' failed with code %d: %.400s", "link",
                      end.exit_code, end.output);
    }
    free(end.output);
    if (!status && program->report.fault == BUILD_FAULT_NONE) {
        status = inspection_do(build_program_arrays(paths, objects), program, err);
    }
    return status;
}

enum status run_build_program(const struct judge_machine *machine,
                              const struct program_source *source, struct run_program *ret_program,
                              struct error *err) {
    struct run_program program = {
        .kind = DEVICE_EMU, .machine = machine, .exercise = source->exercise, .kernel = "main"};
    if (source->exercise) {
        exercise_kernel_name(source->exercise, program.kernel);
    }
    struct staging *staging = xcalloc(1, sizeof *staging);
    staging->source = source;
    staging->program = &program;
    enum status status = box_scratch_make(machine->sandbox, program.scratch, err);
    if (!status) {
        status = program_stage(staging, err);
    }
    program.readable = (const char *const *)staging->folder;
    int objects = 0;
    // Something that needs a GPU in one file does not hide an error in another.
    for (int i = staging->files - 1; i >= 0 && !status; i--) {
        if (staging->file[i].is_unit && program.report.fault != BUILD_FAULT_ERROR) {
            status = unit_build(staging, i, objects++, err);
        }
    }
    if (!status && program.report.fault == BUILD_FAULT_NONE) {
        calls_check(staging, &program.report);
    }
    if (!status && program.report.fault == BUILD_FAULT_NONE) {
        status = program_link(&program, objects, err);
    }
    if (!status && !program.report.diagnostics) {
        program.report.diagnostics = xstrdup("");
    }
    program.readable = NULL;
    staging_done(staging);
    free(staging);
    if (status) {
        run_program_done(&program);
        return status;
    }
    *ret_program = program;
    return STATUS_OK;
}

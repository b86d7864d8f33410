// Compiles an expected.c, once for each exercise: g++ with our header, linked with the runner.
//
// The text is compiled with #line, so that messages name the teacher's own lines.  A call with the
// parameters of the exercise follows the text; it compiles only if the function has these
// parameters.
#include "judge/expected/expected_program.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "device/build_report.h"
#include "judge/compile/program_build.h"
#include "judge/expected/expected_case.h"

#define SHOWN    "expected.c"  // its name in messages of the compiler
#define CHECK    "check_"
#define CALL     "call-of-expected"  // and that of the call
#define COMPILER "/usr/bin/g++"
#define LINKER   "/usr/bin/gcc"

bool expected_is_double(const struct signature *signature) {
    for (int i = 0; i < signature->parameter_count; i++) {
        if (parameter_is_array(&signature->parameter[i]) &&
            signature->parameter[i].element == ELEMENT_DOUBLE) {
            return true;
        }
    }
    return false;
}

// The type of a parameter as expected.c declares it: "const number *".
static void type_write(FILE *stream, const struct expected_program *program,
                       const struct parameter *parameter) {
    bool is_small = element_is_small(parameter->element);
    const char *type = element_c_name(parameter->element);
    if (!parameter_is_array(parameter)) {
        (void)fprintf(stream, "%s ", is_small ? "float" : type);
    } else if (program->is_check) {
        (void)fprintf(stream, "const %s *", is_small ? element_name(parameter->element) : type);
    } else {
        (void)fprintf(stream, "%s%s *", parameter_is_output(parameter) ? "" : "const ",
                      element_is_real(parameter->element) ? "number" : type);
    }
}

// A check function takes an inout array twice.
static bool is_twice(const struct expected_program *program, const struct parameter *parameter) {
    return program->is_check && parameter_is_input(parameter) && parameter_is_output(parameter);
}

// "void reduction(const number *x, number *y, int N)"
static void prototype_write(FILE *stream, const struct expected_program *program) {
    const char *separator = "";
    (void)fprintf(stream, program->is_check ? "int " CHECK "%s(" : "void %s(", program->name);
    for (int i = 0; i < program->signature->parameter_count; i++) {
        const struct parameter *parameter = &program->signature->parameter[i];
        for (int twice = is_twice(program, parameter); twice >= 0; twice--) {
            (void)fprintf(stream, "%s", separator);
            type_write(stream, program, parameter);
            (void)fprintf(stream, "%s%s", parameter->name, twice ? "_before" : "");
            separator = ", ";
        }
    }
    (void)fprintf(stream, ")");
}

static void call_write(FILE *stream, const struct expected_program *program, const char *macro) {
    int array = 0;
    const char *separator = "";
    (void)fprintf(stream, "\n#line 1 \"" CALL "\"\n%s {\n    return %s%s(", macro,
                  program->is_check ? CHECK : "", program->name);
    for (int i = 0; i < program->signature->parameter_count; i++) {
        const struct parameter *parameter = &program->signature->parameter[i];
        for (int twice = is_twice(program, parameter); twice >= 0; twice--) {
            (void)fprintf(stream, "%s(", separator);
            type_write(stream, program, parameter);
            if (parameter_is_array(parameter)) {
                (void)fprintf(stream, ")array[%d]", array++);
            } else {
                (void)fprintf(stream, ")request->%s[%d]",
                              parameter->kind == PARAMETER_SIZE ? "whole" : "real", i);
            }
            separator = ", ";
        }
    }
    (void)fprintf(stream, program->is_check ? ");\n}\n" : "), 0;\n}\n");
}

// The type of `number` in the second copy of a text: that of all outputs; halves are widened to it.
// NULL: there is none, because arrays are float and double, an output is small, or it is a check.
static const char *plain_type(const struct expected_program *program) {
    const struct signature *signature = program->signature;
    const bool is_double = expected_is_double(signature);
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        const enum element_type type = parameter->element;
        if (!parameter_is_array(parameter) || !element_is_real(type)) {
            continue;
        }
        bool fits = element_is_small(type) ? !is_double && !parameter_is_output(parameter)
                                           : (type == ELEMENT_DOUBLE) == is_double;
        if (!fits) {
            return NULL;
        }
    }
    return program->is_check ? NULL : is_double ? "double" : "float";
}

// The text that is compiled; with `plain`, a second time with that type as its numbers: some 20 ms
// more, and a hundred times as fast.  Owns: the caller frees *ret_source.
static void source_make(const struct expected_program *program, const struct expected_text *text,
                        const char *plain, char **ret_source, size_t *ret_bytes) {
    FILE *stream = xopen_memstream(ret_source, ret_bytes);
    (void)fprintf(stream, "#include \"expected/main.h\"\n#line 1 \"" SHOWN "\"\n");
    (void)fwrite(text->text, 1, text->bytes, stream);
    call_write(stream, program, "EXPECTED_CALL");
    if (plain) {
        (void)fprintf(stream,
                      "namespace plain {\ntypedef %s number;\n"
                      "static inline number rsqrtf(number a) {\n    return 1 / sqrt(a);\n}\n"
                      "#line 1 \"%s\"\n",
                      plain, SHOWN);
        (void)fwrite(text->text, 1, text->bytes, stream);
        call_write(stream, program, "EXPECTED_CALL_PLAIN");
        (void)fprintf(stream, "}\n");
    } else {
        (void)fprintf(stream, "EXPECTED_CALL_PLAIN {\n    (void)array;\n    (void)request;\n"
                              "    return 0;\n}\n");
    }
    xclose_memstream(stream, ret_source);
}

static enum status source_write(const struct expected_program *program, const char *source,
                                size_t bytes, struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = path_make(path, err, "%s/" BUILD_SOURCE, program->build.scratch);
    if (!status) {
        status = file_write(path, source, bytes, err);
    }
    if (!status && chmod(path, 0644) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    return status;
}

// The remedy for a message of the compiler, if it is known.
static const char *remedy_of(const char *message) {
    bool is_conversion = strstr(message, " to 'float'") || strstr(message, " to 'double'");
    if ((is_conversion && strstr(message, "initialization")) || strstr(message, "'number&'")) {
        return _("; declare it as number");
    }
    if (is_conversion || strstr(message, "'abs(") || strstr(message, "declared")) {
        return _("; expected.c has number, EACH, exp, log, sqrt, tanh, erf, sin, cos, pow, fmax, "
                 "fmin, fabs, floor and its own parameters");
    }
    if (strstr(message, "number' to 'int'") || strstr(message, "'operator[]'")) {
        return _("; a number as an index is (int)x, or declare its array as int in exercise.ini");
    }
    if (strstr(message, "non-void")) {
        return _("; a check function returns 0 if all is right");
    }
    return "";
}

// "expected.c:12:5: error: …" becomes our message; an error in the call means wrong parameters.
static enum status compile_failed(const struct expected_program *program, const char *output,
                                  struct error *err) {
    static const char mark[] = "error: ";  // also of ": fatal error: "
    const char *line = output;
    for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *end = line + strcspn(line, "\n");
        const char *error = strstr(line, mark);
        if (!error || error > end) {
            continue;
        }
        if (text_starts(line, CALL)) {
            char *prototype = NULL;
            size_t bytes = 0;
            FILE *stream = xopen_memstream(&prototype, &bytes);
            prototype_write(stream, program);
            xclose_memstream(stream, &prototype);
            enum status status = fail(err, STATUS_BAD_DATA,
                                      "%s: has no function %s, with the parameters of exercise.ini",
                                      program->path, prototype);
            free(prototype);
            return status;
        }
        int number = text_starts(line, SHOWN ":") ? (int)strtol(line + sizeof SHOWN, NULL, 10) : 0;
        char message[400];
        (void)snprintf(message, sizeof message, "%.*s", (int)(end - error - (long)strlen(mark)),
                       error + strlen(mark));
        return fail(err, STATUS_BAD_DATA, "%s:%d: does not compile: %.300s%s", program->path,
                    number, message, remedy_of(message));
    }
    return fail(err, STATUS_BAD_DATA, "%s: does not compile: %.300s", program->path, output);
}

static void plan_make(const struct expected_program *program, struct build_plan *plan) {
    const struct device_paths *paths = &program->build.machine->paths;
    const char *compiler = paths->compiler[0] != '\0' ? paths->compiler : COMPILER;
    struct build_step *compile = &plan->step[0];
    struct build_step *link = &plan->step[1];
    plan->step_count = 2;
    compile->what = "expected-compile";
    compile->reads_headers = true;
    step_add(compile, "%s", compiler);
    step_add_words(compile, BUILD_FLAGS_EXPECTED);
    // The precompiled header is for floats; with doubles, g++ ignores it.
    step_add(compile, "-DNUMBER_BITS=%d", expected_is_double(program->signature) ? 53 : 24);
    step_add(compile, "-iquote%s/precompiled%s", paths->programs, paths->include);
    step_add(compile, "-I%s", paths->include);
    step_add_words(compile, "-c " BUILD_SOURCE " -o expected.o");
    link->what = "expected-link";
    step_add_words(link, LINKER " -static -no-pie -Wl,-z,noexecstack");
    step_add(link, "expected.o");
    step_add(link, "%s/libexpected.a", paths->programs);
    step_add_words(link, "-lm -o " EXPECTED_NUMBERS);
}

// Compiles the source, which is in the folder of the program, or takes it from the cache.
static enum status source_build(const struct expected_program *program, const char *source,
                                size_t bytes, struct error *err) {
    struct build_plan plan = {.step_count = 0};
    struct run_steps steps = {.run = 0};
    plan_make(program, &plan);
    enum status status =
        run_steps(&plan, &program->build, (struct text){source, bytes}, &steps, err);
    int last = steps.run - 1;
    if (!status && steps.text) {
        status =
            fail(err, STATUS_BAD_DATA, "%s: %s; write it shorter", program->path, _(steps.text));
    } else if (!status && steps.exit_codes[last] != 0) {
        status = last == 0 ? compile_failed(program, steps.outputs[0], err)
                           : fail(err, STATUS_BAD_DATA,
                                  "%s: does not link; it may use only its own functions and "
                                  "those of math.h: %.300s",
                                  program->path, steps.outputs[last]);
    }
    run_steps_done(&steps);
    build_plan_done(&plan);
    return status;
}

static enum status program_build(const struct expected_program *program,
                                 const struct expected_text *text, const char *plain,
                                 struct error *err) {
    char *source = NULL;
    size_t bytes = 0;
    source_make(program, text, plain, &source, &bytes);
    enum status status = source_write(program, source, bytes, err);
    if (!status) {
        status = source_build(program, source, bytes, err);
    }
    free(source);
    return status;
}

enum status expected_build(const struct judge_machine *machine, const struct signature *signature,
                           const struct expected_text *text, struct expected_program *ret_program,
                           struct error *err) {
    struct expected_program program = {.build = {.kind = DEVICE_EMU, .machine = machine},
                                       .signature = signature,
                                       .seconds_max = EXPECTED_SECONDS_MAX};
    (void)snprintf(program.name, sizeof program.name, "%s", text->name);
    (void)snprintf(program.path, sizeof program.path, "%s", text->path);
    char check[NAME_BYTES_MAX + sizeof CHECK];
    (void)snprintf(check, sizeof check, CHECK "%s", text->name);
    program.is_check = memmem(text->text, text->bytes, check, strlen(check)) != NULL;
    program.process = expected_process_new();
    program.memo = expected_memo_new();
    enum status status = box_scratch_make(machine->sandbox, program.build.scratch, err);
    const char *plain = plain_type(&program);
    if (!status) {
        program.has_plain = plain && !program_build(&program, text, plain, NULL);
        // A text that needs numbers, or is wrong: its author gets the messages about numbers alone.
        status = program.has_plain ? STATUS_OK : program_build(&program, text, NULL, err);
    }
    if (status) {
        expected_program_done(&program);
        return status;
    }
    *ret_program = program;
    return STATUS_OK;
}

void expected_program_done(struct expected_program *program) {
    expected_process_free(program->process);
    expected_memo_free(program->memo);
    program->process = NULL;
    program->memo = NULL;
    run_program_done(&program->build);
}

static enum status stored_program_build(const struct judge_machine *machine,
                                        const struct exercise *exercise,
                                        struct expected_program *ret_program, struct error *err) {
    char path[PATH_BYTES_MAX];
    char shown[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    enum status status = path_make(shown, err, "%s/expected.c", exercise->lesson);
    if (!status) {
        status = path_make(path, err, "%s/%s/expected.c", exercise->root, exercise->lesson);
    }
    if (!status && file_read(path, SOURCE_BYTES_MAX, &text, &bytes, err)) {
        status = fail(err, STATUS_BAD_DATA,
                      "%s: cannot be read; an exercise that is not a matmul says there what its "
                      "result is",
                      shown);
    }
    if (!status) {
        const struct expected_text read = {exercise->name, shown, text, bytes};
        status = expected_build(machine, &exercise->signature, &read, ret_program, err);
    }
    free(text);
    return status;
}

enum status expected_store_get(const struct judge_machine *machine, const struct exercise *exercise,
                               const struct expected_program **ret_program, struct error *err) {
    struct expected_store *store = machine->expected;
    assert(store);
    for (int i = 0; i < store->count; i++) {
        if (strcmp(store->program[i]->name, exercise->name) == 0) {
            *ret_program = store->program[i];
            return STATUS_OK;
        }
    }
    assert(store->count < EXERCISES_MAX);
    struct expected_program *program = xcalloc(1, sizeof *program);
    enum status status = stored_program_build(machine, exercise, program, err);
    if (status) {
        free(program);
        return status;
    }
    store->program[store->count++] = program;
    *ret_program = program;
    return STATUS_OK;
}

void expected_store_done(struct expected_store *store) {
    while (store && store->count > 0) {
        struct expected_program *program = store->program[--store->count];
        expected_program_done(program);
        free(program);
    }
}

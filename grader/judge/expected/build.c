// Compiles an expected.c: g++ with our header, linked with the runner.
//
// The text is compiled with #line, so that messages name the teacher's own lines, and is followed by
// a call with the parameters of the exercise, which only compiles if the function has them.
#include "judge/expected/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "base/translate.h"
#include "device/build/gxx_trouble.h"
#include "judge/build/step.h"
#include "sandbox/box.h"

#define SOURCE   "expected.cc"
#define SHOWN    "expected.c"      // its name in messages of the compiler
#define CALL     "call-of-expected"  // and that of the call
#define COMPILER "/usr/bin/g++"
#define FLAGS                                                                                      \
    "-x c++ -std=c++17 -O1 -g -w -fno-exceptions -fno-rtti -fno-threadsafe-statics "               \
    "-ffp-contract=off -fno-pie -fdiagnostics-color=never -fno-diagnostics-show-caret"

const char *expected_type_name(enum expected_type type) {
    static const char *const names[EXPECTED_TYPES] = {
        "float",         "double",         "half",     "signed char", "short", "int", "long long",
        "unsigned char", "unsigned short", "unsigned", "unsigned long long"};
    return names[type];
}

static bool has_double(const struct expected_function *function) {
    for (int i = 0; i < function->count; i++) {
        if (function->parameter[i].type == EXPECTED_DOUBLE &&
            function->parameter[i].kind == EXPECTED_ARRAY) {
            return true;
        }
    }
    return false;
}

// The type of a parameter as expected.c declares it: "const number *".
static void type_write(FILE *stream, const struct expected_parameter *parameter) {
    bool is_number = expected_type_is_number(parameter->type);
    if (parameter->kind != EXPECTED_ARRAY) {
        (void)fprintf(stream, "%s ",
                      parameter->type == EXPECTED_HALF ? "float"
                                                       : expected_type_name(parameter->type));
        return;
    }
    (void)fprintf(stream, "%s%s *", parameter->direction == EXPECTED_IN ? "const " : "",
                  is_number ? "number" : expected_type_name(parameter->type));
}

// "void reduction(const number *x, number *y, int N)"
static void prototype_write(FILE *stream, const struct expected_function *function) {
    (void)fprintf(stream, "void %s(", function->name);
    for (int i = 0; i < function->count; i++) {
        (void)fprintf(stream, "%s", i > 0 ? ", " : "");
        type_write(stream, &function->parameter[i]);
        (void)fprintf(stream, "%s", function->parameter[i].name);
    }
    (void)fprintf(stream, ")");
}

static void call_write(FILE *stream, const struct expected_function *function) {
    int array = 0;
    (void)fprintf(stream,
                  "\n#line 1 \"" CALL "\"\n"
                  "void expected_call(void *const *array, const struct expected_request *request) "
                  "{\n    %s(",
                  function->name);
    for (int i = 0; i < function->count; i++) {
        const struct expected_parameter *parameter = &function->parameter[i];
        (void)fprintf(stream, "%s(", i > 0 ? ", " : "");
        type_write(stream, parameter);
        if (parameter->kind == EXPECTED_ARRAY) {
            (void)fprintf(stream, ")array[%d]", array++);
        } else {
            bool real = parameter->kind == EXPECTED_SCALAR &&
                        expected_type_is_number(parameter->type);
            (void)fprintf(stream, ")request->%s[%d]", real ? "real" : "whole", i);
        }
    }
    (void)fprintf(stream, ");\n}\n");
}

static enum status source_write(const struct expected_program *program, const char *text,
                                size_t bytes, struct error *err) {
    char path[PATH_BYTES_MAX];
    char *source = NULL;
    size_t source_bytes = 0;
    FILE *stream = open_memstream(&source, &source_bytes);
    if (!stream) {
        return fail(err, STATUS_NO_MEMORY, "no memory for %s", program->function.path);
    }
    (void)fprintf(stream, "#define NUMBER_BITS %d\n#include \"expected/main.h\"\n#line 1 \"%s\"\n",
                  has_double(&program->function) ? 53 : 24, SHOWN);
    (void)fwrite(text, 1, bytes, stream);
    call_write(stream, &program->function);
    if (!stream_close(stream, &source)) {
        return fail(err, STATUS_NO_MEMORY, "no memory for %s", program->function.path);
    }
    enum status status = path_make(path, err, "%s/" SOURCE, program->build.scratch);
    if (!status) {
        status = file_write(path, source, source_bytes, err);
    }
    if (!status && chmod(path, 0644) != 0) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    free(source);
    return status;
}

// What to do about a message of the compiler, if that is known.
static const char *remedy_of(const char *message) {
    if (strstr(message, "'number' to 'float'") || strstr(message, "'number' to 'double'")) {
        return _("; declare it as number");
    }
    if (strstr(message, "was not declared")) {
        return _("; expected.c has number, EACH, the functions of math.h and its own parameters");
    }
    return "";
}

// "expected.c:12:5: error: …" becomes our message; an error in the call is one of the parameters.
static enum status compile_failed(const struct expected_function *function, const char *output,
                                  struct error *err) {
    static const char mark[] = ": error: ";
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
            FILE *stream = open_memstream(&prototype, &bytes);
            if (stream) {
                prototype_write(stream, function);
                (void)stream_close(stream, &prototype);
            }
            enum status status =
                fail(err, STATUS_BAD_DATA,
                     "%s: has no function %s, which are the parameters of exercise.ini",
                     function->path, prototype ? prototype : function->name);
            free(prototype);
            return status;
        }
        int number = text_starts(line, SHOWN ":") ? (int)strtol(line + sizeof SHOWN, NULL, 10) : 0;
        char message[400];
        (void)snprintf(message, sizeof message, "%.*s", (int)(end - error - (long)strlen(mark)),
                       error + strlen(mark));
        for (char *quote = message; (quote = strstr(quote, "\xe2\x80")); quote++) {
            quote[0] = '\'';  // ‘ and ’
            memmove(quote + 1, quote + 3, strlen(quote + 3) + 1);
        }
        return fail(err, STATUS_BAD_DATA, "%s:%d: does not compile: %.300s%s", function->path,
                    number, message, remedy_of(message));
    }
    return fail(err, STATUS_BAD_DATA, "%s: does not compile: %.300s", function->path, output);
}

static void plan_make(const struct device_paths *paths, struct build_step *compile,
                      struct build_step *link) {
    const char *compiler = paths->compiler[0] != '\0' ? paths->compiler : COMPILER;
    compile->what = "compile expected.c";
    step_add(compile, "%s", compiler);
    step_add_words(compile, FLAGS);
    step_add(compile, "-I%s", paths->include);
    step_add_words(compile, "-c " SOURCE " -o expected.o");
    link->what = "link expected.c";
    step_add_words(link, "/usr/bin/gcc -static -no-pie -Wl,-z,noexecstack expected.o");
    step_add(link, "%s/libexpected.a", paths->programs);
    step_add_words(link, "-lm -o expected");
}

enum status expected_build(const struct judge_machine *machine,
                           const struct expected_function *function, const char *text,
                           size_t bytes, struct expected_program *ret_program, struct error *err) {
    struct expected_program program = {.build = {.kind = DEVICE_EMU, .machine = machine},
                                       .function = *function};
    struct build_step step[2] = {{.what = NULL}, {.what = NULL}};
    enum status status = box_scratch_make(machine->sandbox, program.build.scratch, err);
    if (!status) {
        status = source_write(&program, text, bytes, err);
    }
    plan_make(&machine->paths, &step[0], &step[1]);
    for (int i = 0; !status && i < 2; i++) {
        struct run_step_end end = {.output = NULL};
        status = step_check(&step[i], err);
        if (!status) {
            status = run_step(&step[i], &program.build, &end, err);
        }
        if (!status && end.text) {
            status = fail(err, STATUS_BAD_DATA, "%s: %s; write it shorter", function->path,
                          _(end.text));
        } else if (!status && end.exit_code != 0) {
            status = i == 0 ? compile_failed(function, end.output, err)
                            : fail(err, STATUS_BAD_DATA,
                                   "%s: does not link; it may use only its own functions and "
                                   "those of math.h: %.300s",
                                   function->path, end.output);
        }
        free(end.output);
    }
    build_step_done(&step[0]);
    build_step_done(&step[1]);
    if (status) {
        expected_program_done(&program);
        return status;
    }
    *ret_program = program;
    return STATUS_OK;
}

void expected_program_done(struct expected_program *program) {
    run_program_done(&program->build);
}

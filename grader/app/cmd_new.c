// `tilegrade new NAME`: the files of a new exercise.  They hold no kernel, because students have
// this file too.  What a teacher has to write is marked `FILL IN`, which check-course looks for.
// The stub comes later, by `stubs`: one cut from an empty reference would be left alone as work.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "base/file.h"

#define LESSON_NUMBER_MAX 99

// In the texts, @NAME@ is the name of the exercise.
static const char exercise_text[] =
    "; FILL IN: one line on the idea of this exercise, its title, points and sizes\n"
    "title = @NAME@\n"
    "points = 10\n"
    "speed_points = 0\n"
    "; sizes around the multiples of the tile are tried\n"
    "tile = 16\n"
    "\n"
    "[cases]\n"
    "one = 1\n"
    "ragged = 67x33x129\n"
    "\n"
    "; ratios to the reference at which speed has full and no points: size = full zero\n"
    "[timed]\n"
    "\n"
    "[counted]\n";

static const char lesson_text[] = "# @NAME@\n"
                                  "\n"
                                  "FILL IN: what the student knows after this lesson, in one "
                                  "sentence.\n"
                                  "\n"
                                  "## The idea\n"
                                  "\n"
                                  "FILL IN: the idea, with a picture or a small example.\n"
                                  "\n"
                                  "## What to write\n"
                                  "\n"
                                  "Fill in the TODO of `student/@NAME@.cu`, then run `make test "
                                  "EX=@NAME@`. What a message means is told in\n"
                                  "[verdicts](../verdicts.md).\n";

static const char hints_text[] = "# Hints to @NAME@\n"
                                 "\n"
                                 "## 1 FILL IN: what TODO 1 is about\n"
                                 "\n"
                                 "### question\n"
                                 "\n"
                                 "FILL IN: a question that leads to the idea\n"
                                 "\n"
                                 "### where\n"
                                 "\n"
                                 "[The idea](lesson.md#the-idea)\n"
                                 "\n"
                                 "### pseudocode\n"
                                 "\n"
                                 "    FILL IN: the steps, but never the line itself\n";

static const char reference_text[] =
    "// @NAME@: FILL IN: title\n"
    "//\n"
    "// Shapes   A [M][K], B [K][N], C [M][N], row-major\n"
    "// Launch   FILL IN: the block, and what one thread computes\n"
    "// Idea     FILL IN: what this step shows\n"
    "// Limit    FILL IN: what the next step improves\n"
    "// Source   FILL IN: where the method is from\n"
    "#include \"matmul.cuh\"\n"
    "\n"
    "#define TILE 16\n"
    "\n"
    "__global__ void matmul_@NAME@(const float *A, const float *B, float *C, int M, int N, int K)\n"
    "{\n"
    "    //@cut 1 FILL IN: what the student is to write here\n"
    "    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;  // FILL IN: the kernel\n"
    "    //@end\n"
    "}\n"
    "\n"
    "LAUNCH_CONFIG(matmul_@NAME@, M, N, K)\n"
    "{\n"
    "    launch->block = dim3(TILE, TILE);\n"
    "    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));\n"
    "}\n";

static const char wrong_text[] =
    "// expect: wrong_result  (FILL IN: the one mistake of this kernel)\n"
    "#include \"matmul.cuh\"\n"
    "\n"
    "// FILL IN: the reference with one mistake; one file for each mistake that students make\n"
    "__global__ void matmul_@NAME@(const float *A, const float *B, float *C, int M, int N, int K)\n"
    "{\n"
    "    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;\n"
    "}\n"
    "\n"
    "LAUNCH_CONFIG(matmul_@NAME@, M, N, K)\n"
    "{\n"
    "    launch->block = dim3(1);\n"
    "    launch->grid = dim3(1);\n"
    "}\n";

static void text_write(FILE *out, const char *text, const char *name) {
    for (const char *at = text; *at != '\0';) {
        const char *mark = strstr(at, "@NAME@");
        size_t bytes = mark ? (size_t)(mark - at) : strlen(at);
        (void)fwrite(at, 1, bytes, out);
        at += bytes;
        if (mark) {
            (void)fputs(name, out);
            at += strlen("@NAME@");
        }
    }
}

// Writes root/path from a text with marks; the folder is made.  An existing file is an error.
static enum status file_new(const struct app *app, const char *path, const char *marked,
                            const char *name, struct error *err) {
    char whole[PATH_BYTES_MAX];
    char folder[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    enum status status = place_make(app->places, whole, err, "%s", path);
    if (status) {
        return status;
    }
    if (access(whole, F_OK) == 0) {
        return fail(err, STATUS_BAD_USAGE, "%s: is already there", whole);
    }
    memcpy(folder, whole, sizeof folder);
    *strrchr(folder, '/') = '\0';
    status = folder_make(folder, err);
    if (status) {
        return status;
    }
    FILE *out = open_memstream(&text, &bytes);
    if (!out) {
        return fail(err, STATUS_NO_MEMORY, "no memory");
    }
    text_write(out, marked, name);
    if (!stream_close(out, &text)) {
        status = fail(err, STATUS_NO_MEMORY, "no memory");
    }
    if (!status) {
        status = file_write(whole, text, bytes, err);
    }
    if (!status) {
        (void)printf("written: %s\n", path);
    }
    free(text);
    return status;
}

static enum status name_check(const struct app *app, const char *name, struct error *err) {
    if (!name) {
        return fail(err, STATUS_BAD_USAGE, "say its name, as in EX=double_buffer");
    }
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (name[length] != '\0' || !isalpha((unsigned char)name[0]) || length >= NAME_BYTES_MAX) {
        return fail(err, STATUS_BAD_USAGE, "bad name '%.80s': use lower-case letters, digits and _",
                    name);
    }
    if (course_find(app->course, name)) {
        return fail(err, STATUS_BAD_USAGE, "%s: is an exercise already", name);
    }
    int last = app->course->exercises[app->course->exercise_count - 1].number;
    return last < LESSON_NUMBER_MAX
               ? STATUS_OK
               : fail(err, STATUS_BAD_USAGE, "lesson %d was the last one", last);
}

enum status cmd_new(const struct app *app, enum exit_code *ret_code, struct error *err) {
    const char *name = app->options->exercise;
    enum status status = name_check(app, name, err);
    if (status) {
        return status;
    }
    int number = app->course->exercises[app->course->exercise_count - 1].number + 1;
    const struct {
        const char *format;  // of the path; takes number and name, or name alone
        bool in_lesson;
        const char *text;
    } files[] = {
        {"exercise.ini", true, exercise_text},
        {"lesson.md", true, lesson_text},
        {"hints.md", true, hints_text},
        {"reference/%s.cu", false, reference_text},
        {"tests/wrong/%s/one_mistake.cu", false, wrong_text},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files && !status; i++) {
        char path[PATH_BYTES_MAX];
        if (files[i].in_lesson) {
            status = path_make(path, err, "lessons/%02d_%s/%s", number, name, files[i].format);
        } else {
            const char *slot = strstr(files[i].format, "%s");
            status = path_make(path, err, "%.*s%s%s", (int)(slot - files[i].format),
                               files[i].format, name, slot + 2);
        }
        if (!status) {
            status = file_new(app, path, files[i].text, name, err);
        }
    }
    if (!status) {
        (void)printf("next: write what is marked FILL IN, then run "
                     "`make stubs check-course EX=%s`\n",
                     name);
        *ret_code = EXIT_ALL_WELL;
    }
    return status;
}

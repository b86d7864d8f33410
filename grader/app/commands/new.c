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
#include "base/texts.h"

#define LESSON_NUMBER_MAX 99

// In the texts, @NAME@ is the name of the exercise and @LESSON@ its folder below lessons/.
static const char exercise_text[] =
    "; FILL IN: one line on the idea of this exercise, its title, points and sizes\n"
    "title = @NAME@\n"
    "; whole points, and how many of them are for speed\n"
    "points = 10\n"
    "speed_points = 0\n"
    "; edge of the block of C that a thread block computes: sizes around its multiples are tried\n"
    "tile = 16\n"
    "; the exercise that this one grows out of, for `make diff`:\n"
    "; before = its_name\n"
    "\n"
    "; name = MxNxK; sizes that show a mistake of their own, beside those that are drawn\n"
    "[cases]\n"
    "one = 1\n"
    "ragged = 67x33x129\n"
    "\n"
    "; for speed points: size = full zero weight, ratios to the reference's time at which this\n"
    "; size has all of its points, and none:\n"
    "; 2048 = 0.95 0.30 1\n"
    "[timed]\n"
    "\n"
    "; the same where there is no GPU, ratios to the reference's counted work:\n"
    "; 512 = 0.95 0.30 1\n"
    "[counted]\n";

static const char lesson_text[] =
    "# @NAME@\n"
    "\n"
    "## Goal\n"
    "\n"
    "FILL IN: what the student can do after this lesson, in one sentence.\n"
    "\n"
    "## Idea\n"
    "\n"
    "FILL IN: the idea, with a picture or a small example.\n"
    "\n"
    "## Write\n"
    "\n"
    "Open `student/@NAME@.cu`. FILL IN: what each of its TODOs asks for.\n"
    "\n"
    "## Test\n"
    "\n"
    "```\n"
    "make test EX=@NAME@\n"
    "make hint EX=@NAME@\n"
    "```\n"
    "\n"
    "## Common mistakes\n"
    "\n"
    "FILL IN: a row for each kernel in `tests/wrong/@NAME@/`.\n"
    "\n"
    "| mistake | verdict |\n"
    "|---|---|\n"
    "| nothing is stored | [not_written](../verdicts.md#not_written) |\n";

static const char hints_text[] = "# Hints: @NAME@\n"
                                 "\n"
                                 "## 1 FILL IN: what TODO 1 is about\n"
                                 "\n"
                                 "### question\n"
                                 "\n"
                                 "FILL IN: a question that leads to the idea\n"
                                 "\n"
                                 "### where\n"
                                 "\n"
                                 "`lessons/@LESSON@/lesson.md`, \"Idea\".\n"
                                 "\n"
                                 "### pseudocode\n"
                                 "\n"
                                 "```\n"
                                 "FILL IN: the steps, but never the line itself\n"
                                 "```\n";

static const char reference_text[] =
    "// @NAME@: FILL IN: title\n"
    "//\n"
    "// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.\n"
    "// Launch   FILL IN: the block, and what one thread computes\n"
    "// Idea     FILL IN: what this step shows\n"
    "// Limit    FILL IN: what the next step improves\n"
    "// Source   FILL IN: where the method is from\n"
    "#include \"matmul.cuh\"\n"
    "\n"
    "#define TILE 16\n"
    "\n"
    "__global__ void matmul_@NAME@(const float *A, const float *B, float *C, int M, int N, int K) "
    "{\n"
    "    //@cut 1 FILL IN: what the student is to write here\n"
    "    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;  // FILL IN: the kernel\n"
    "    //@end\n"
    "}\n"
    "\n"
    "LAUNCH_CONFIG(matmul_@NAME@, M, N, K) {\n"
    "    launch->block = dim3(TILE, TILE);\n"
    "    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));\n"
    "}\n";

// It is proven as it stands: a new exercise begins with one wrong kernel that is caught.
static const char wrong_text[] =
    "// expect: not_written  (nothing is stored)\n"
    "#include \"matmul.cuh\"\n"
    "\n"
    "__global__ void matmul_@NAME@(const float *A, const float *B, float *C, int M, int N, int K) "
    "{\n"
    "    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;\n"
    "}\n"
    "\n"
    "LAUNCH_CONFIG(matmul_@NAME@, M, N, K) {\n"
    "    launch->block = dim3(1);\n"
    "    launch->grid = dim3(1);\n"
    "}\n";

// What the marks stand for.
struct marks {
    const char *name;
    const char *lesson;  // "09_name"
};

static void text_write(FILE *out, const char *text, const struct marks *marks) {
    static const char name[] = "@NAME@";
    static const char lesson[] = "@LESSON@";
    while (*text != '\0') {
        if (strncmp(text, name, strlen(name)) == 0) {
            (void)fputs(marks->name, out);
            text += strlen(name);
        } else if (strncmp(text, lesson, strlen(lesson)) == 0) {
            (void)fputs(marks->lesson, out);
            text += strlen(lesson);
        } else {
            (void)fputc(*text++, out);
        }
    }
}

// Writes root/path from a text with marks; the folder is made.  An existing file is an error.
static enum status file_new(const struct app *app, const char *path, const char *marked,
                            const struct marks *marks, struct error *err) {
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
    text_write(out, marked, marks);
    if (!stream_close(out, &text)) {
        status = fail(err, STATUS_NO_MEMORY, "no memory");
    }
    if (!status) {
        status = file_write(whole, text, bytes, err);
    }
    if (!status) {
        (void)printf(_("written: %s\n"), path);
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
        return fail(err, STATUS_BAD_USAGE,
                    "bad name '%.80s': use a lower-case letter, then letters, digits and _, at "
                    "most %d",
                    name, NAME_BYTES_MAX - 1);
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
    char lesson[NAME_BYTES_MAX + 4];
    (void)snprintf(lesson, sizeof lesson, "%02d_%s",
                   app->course->exercises[app->course->exercise_count - 1].number + 1, name);
    const struct marks marks = {.name = name, .lesson = lesson};
    const struct {
        const char *folder, *part, *file;  // "folder/part" and "/file" or ".cu"
        const char *text;
    } files[] = {
        {"lessons", lesson, "/exercise.ini", exercise_text},
        {"lessons", lesson, "/lesson.md", lesson_text},
        {"lessons", lesson, "/hints.md", hints_text},
        {"reference", name, ".cu", reference_text},
        {"tests/wrong", name, "/stores_nothing.cu", wrong_text},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files && !status; i++) {
        char path[PATH_BYTES_MAX];
        status = path_make(path, err, "%s/%s%s", files[i].folder, files[i].part, files[i].file);
        if (!status) {
            status = file_new(app, path, files[i].text, &marks, err);
        }
    }
    if (!status) {
        (void)printf(
            _("next: write what is marked FILL IN (grader/exercises.md tells how), then run "
              "`make stubs check-course EX=%s`\n"),
            name);
        *ret_code = EXIT_ALL_WELL;
    }
    return status;
}

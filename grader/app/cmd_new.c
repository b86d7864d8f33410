// `tilegrade new NAME`: the files of a new exercise.  They are a whole, right exercise (a plain
// multiplication), so that check-course passes before the first edit and every edit starts from
// something that works.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "base/file.h"
#include "exercise/stub.h"

#define LESSON_NUMBER_MAX 99

// In the texts, @NAME@ is the name of the exercise and @LESSON@ its folder.
static const char exercise_text[] =
    "; One line on the idea of this exercise.\n"
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
                                  "What the student knows after this lesson, in one sentence.\n"
                                  "\n"
                                  "## The idea\n"
                                  "\n"
                                  "## What to write\n"
                                  "\n"
                                  "Fill in the TODO of `student/@NAME@.cu`, then run `make test "
                                  "EX=@NAME@`. What a message means is told in\n"
                                  "[verdicts](../verdicts.md).\n";

static const char hints_text[] = "# Hints to @NAME@\n"
                                 "\n"
                                 "## 1 The sum\n"
                                 "\n"
                                 "### question\n"
                                 "\n"
                                 "Which elements of A and B make one element of C?\n"
                                 "\n"
                                 "### where\n"
                                 "\n"
                                 "[The idea](lesson.md#the-idea)\n"
                                 "\n"
                                 "### pseudocode\n"
                                 "\n"
                                 "    for each k: add the product of the two elements\n";

static const char kernel_head[] =
    "__global__ void matmul_@NAME@(const float *A, const float *B, float *C, int M, int N, int K)\n"
    "{\n"
    "    int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "    int col = blockIdx.x * blockDim.x + threadIdx.x;\n";

static const char kernel_tail[] = "}\n"
                                  "\n"
                                  "LAUNCH_CONFIG(matmul_@NAME@, M, N, K)\n"
                                  "{\n"
                                  "    launch->block = dim3(TILE, TILE);\n"
                                  "    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));\n"
                                  "}\n";

static const char reference_head[] = "// @NAME@: title\n"
                                     "//\n"
                                     "// Shapes   A [M][K], B [K][N], C [M][N], row-major\n"
                                     "// Launch   block TILE x TILE, one thread an element of C\n"
                                     "// Idea     what this step shows\n"
                                     "// Limit    what the next step improves\n"
                                     "// Source   where the method is from\n"
                                     "#include \"matmul.cuh\"\n"
                                     "\n"
                                     "#define TILE 16\n"
                                     "\n";

static const char reference_body[] = "\n"
                                     "    if (row < M && col < N) {\n"
                                     "        float acc = 0.0f;\n"
                                     "        //@cut 1 add up the K products of this element\n"
                                     "        for (int k = 0; k < K; ++k) {\n"
                                     "            acc += A[row * K + k] * B[k * N + col];\n"
                                     "        }\n"
                                     "        //@end\n"
                                     "        C[row * N + col] = acc;\n"
                                     "    }\n";

static const char wrong_head[] = "// expect: wrong_result  (the last product is missing)\n"
                                 "#include \"matmul.cuh\"\n"
                                 "\n"
                                 "#define TILE 16\n"
                                 "\n";

static const char wrong_body[] = "\n"
                                 "    if (row < M && col < N) {\n"
                                 "        float acc = 0.0f;\n"
                                 "        for (int k = 0; k < K - 1; ++k) {\n"
                                 "            acc += A[row * K + k] * B[k * N + col];\n"
                                 "        }\n"
                                 "        C[row * N + col] = acc;\n"
                                 "    }\n";

static void part_write(FILE *out, const char *part, const char *name) {
    for (const char *at = part; *at != '\0';) {
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

// Writes root/path from parts (NULL-terminated); the folder is made.  An existing file is an error.
static enum status file_new(const struct app *app, const char *path, const char *const *parts,
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
    for (; *parts; parts++) {
        part_write(out, *parts, name);
    }
    if (fclose(out) != 0) {
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

static enum status stub_new(const struct app *app, const char *name, struct error *err) {
    char path[PATH_BYTES_MAX];
    char *reference = NULL;
    char *stub = NULL;
    size_t bytes = 0;
    enum status status = place_make(app->places, path, err, "reference/%s.cu", name);
    if (!status) {
        status = file_read(path, SOURCE_BYTES_MAX, &reference, &bytes, err);
    }
    if (!status) {
        status = stub_cut(path, reference, &stub, err);
    }
    if (!status) {
        char student[PATH_BYTES_MAX];
        status = path_make(student, err, "student/%s.cu", name);
        if (!status) {
            status = file_new(app, student, (const char *const[]){stub, NULL}, name, err);
        }
    }
    free(reference);
    free(stub);
    return status;
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
        const char *parts[6];
    } files[] = {
        {"exercise.ini", true, {exercise_text}},
        {"lesson.md", true, {lesson_text}},
        {"hints.md", true, {hints_text}},
        {"reference/%s.cu", false, {reference_head, kernel_head, reference_body, kernel_tail}},
        {"tests/wrong/%s/last_term_missing.cu",
         false,
         {wrong_head, kernel_head, wrong_body, kernel_tail}},
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
            status = file_new(app, path, files[i].parts, name, err);
        }
    }
    if (!status) {
        status = stub_new(app, name, err);
    }
    if (!status) {
        (void)printf("next: write the reference, then `make stubs check-course EX=%s`\n", name);
        *ret_code = EXIT_ALL_WELL;
    }
    return status;
}

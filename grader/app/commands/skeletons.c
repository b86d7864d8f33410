// `tilegrade stubs` writes student/*.cu from the references: only a missing file or an unchanged
// stub, so that no work is lost.
// `tilegrade new NAME` writes the files of a new exercise, from grader/templates.  For a product,
// the parts that a teacher has to write are marked `FILL IN`, which check-course looks for; any
// other kernel begins as an example that passes.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands/commands.h"
#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "exercise/stub.h"

// True if the file exists and its tokens differ from the stub's.  An older stub counts as work,
// unless --force is given.
static enum status holds_work(const char *path, const char *stub, bool *ret_holds,
                              struct error *err) {
    if (access(path, F_OK) != 0) {
        *ret_holds = false;
        return STATUS_OK;
    }
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(path, FILE_BYTES_MAX, &text, &bytes, err);
    if (!status) {
        *ret_holds = !token_streams_equal(text, bytes, stub, strlen(stub));
    }
    free(text);
    return status;
}

static enum status stub_write(const struct app *app, const struct exercise *exercise,
                              struct error *err) {
    char path[PATH_BYTES_MAX];
    char *stub = NULL;
    bool keep = false;
    enum status status = place_make(app->places, path, err, "student/%s.cu", exercise->name);
    if (!status) {
        status = stub_in_language(app->course, exercise, &stub, err);
    }
    if (!status && !app->options->force) {
        status = holds_work(path, stub, &keep, err);
    }
    if (!status && !keep) {
        status = file_write(path, stub, strlen(stub), err);
    }
    if (!status) {
        (void)printf(keep ? _("student/%s.cu: left alone, because it is not the stub (`make stubs "
                              "FORCE=1 EX=%s` overwrites it)\n")
                          : _("student/%s.cu: written\n"),
                     exercise->name, exercise->name);
    }
    free(stub);
    return status;
}

enum status cmd_stubs(const struct app *app, enum exit_code *ret_code, struct error *err) {
    char folder[PATH_BYTES_MAX];
    enum status status = place_make(app->places, folder, err, "student");
    if (!status) {
        status = folder_make(folder, err);
    }
    for (int i = 0; i < app->course->exercise_count && !status; i++) {
        status = stub_write(app, &app->course->exercises[i], err);
    }
    *ret_code = EXIT_ALL_WELL;
    return status;
}

// The files, with their paths below grader/templates and below the course.  In paths and texts
// @NAME@ is the name of the exercise and @LESSON@ its folder below lessons/.  None contains the
// solution of an exercise, because students get these templates too.
#define FILES_MAX 8
static const struct kind {
    const char *name;
    const char *file[FILES_MAX][2];  // ends in NULL
} kinds[] = {
    {"product",
     {{"exercise/exercise.ini", "lessons/@LESSON@/exercise.ini"},
      {"exercise/lesson.md", "lessons/@LESSON@/lesson.md"},
      {"exercise/hints.md", "lessons/@LESSON@/hints.md"},
      {"exercise/reference.cu", "reference/@NAME@.cu"},
      {"exercise/stores_nothing.cu", "tests/wrong/@NAME@/stores_nothing.cu"}}},
    {"kernel",
     {{"kernel/exercise.ini", "lessons/@LESSON@/exercise.ini"},
      {"kernel/expected.c.in", "lessons/@LESSON@/expected.c"},
      {"kernel/lesson.md", "lessons/@LESSON@/lesson.md"},
      {"kernel/hints.md", "lessons/@LESSON@/hints.md"},
      {"kernel/reference.cu", "reference/@NAME@.cu"},
      {"kernel/no_check.cu", "tests/wrong/@NAME@/no_check.cu"},
      {"kernel/stores_nothing.cu", "tests/wrong/@NAME@/stores_nothing.cu"}}},
};

static enum status kind_find(const char *name, const struct kind **ret_kind, struct error *err) {
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (strcmp(name ? name : "product", kinds[i].name) == 0) {
            *ret_kind = &kinds[i];
            return STATUS_OK;
        }
    }
    return fail(err, STATUS_BAD_USAGE,
                "unknown kind '%.80s': use product for C = A B, kernel for anything else", name);
}

// Returns the text with its marks filled in, for the caller to free.
static char *marks_fill(const char *text, const char *name, const char *lesson) {
    char *filled = NULL;
    size_t bytes = 0;
    FILE *out = xopen_memstream(&filled, &bytes);
    while (*text != '\0') {
        if (text_starts(text, "@NAME@")) {
            (void)fputs(name, out);
            text += 6;
        } else if (text_starts(text, "@LESSON@")) {
            (void)fputs(lesson, out);
            text += 8;
        } else {
            (void)fputc(*text++, out);
        }
    }
    xclose_memstream(out, &filled);
    return filled;
}

// Writes a file that does not exist yet, and makes its folder.
static enum status file_new(const char *path, const char *text, struct error *err) {
    char folder[PATH_BYTES_MAX];
    if (access(path, F_OK) == 0) {
        return fail(err, STATUS_BAD_USAGE, "%s: already exists", path);
    }
    memcpy(folder, path, sizeof folder);
    *strrchr(folder, '/') = '\0';
    enum status status = folder_make(folder, err);
    return status ? status : file_write(path, text, strlen(text), err);
}

static enum status template_copy(const struct places *places, const char *const file[2],
                                 const char *name, const char *lesson, struct error *err) {
    char from[PATH_BYTES_MAX];
    char to[PATH_BYTES_MAX];
    char *marked = NULL;
    size_t bytes = 0;
    char *text = NULL;
    char *path = marks_fill(file[1], name, lesson);
    enum status status = path_make(from, err, "%s/%s", places->templates, file[0]);
    if (status) {
        goto out;
    }
    status = file_read(from, FILE_BYTES_MAX, &marked, &bytes, err);
    if (status) {
        goto out;
    }
    text = marks_fill(marked, name, lesson);
    status = place_make(places, to, err, "%s", path);
    if (status) {
        goto out;
    }
    status = file_new(to, text, err);
    if (status) {
        goto out;
    }
    (void)printf(_("written: %s\n"), path);

out:
    free(text);
    free(marked);
    free(path);
    return status;
}

static enum status name_check(const struct app *app, const char *name, struct error *err) {
    if (!name) {
        return fail(err, STATUS_BAD_USAGE, "name the new exercise, as in EX=double_buffer");
    }
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (name[length] != '\0' || !isalpha((unsigned char)name[0]) || length >= NAME_BYTES_MAX) {
        return fail(err, STATUS_BAD_USAGE,
                    "bad name '%.80s': start with a lower-case letter, then use lower-case "
                    "letters, digits and _; at most %d characters",
                    name, NAME_BYTES_MAX - 1);
    }
    if (course_find(app->course, name)) {
        return fail(err, STATUS_BAD_USAGE, "%s: there is already an exercise with this name", name);
    }
    return STATUS_OK;
}

// The folder after the last exercise, in the course's own steps of numbers: 090_name after
// 080_tensor_core, or 09_name after 08_tensor_core.
static enum status lesson_name(const struct app *app, const char *name,
                               char ret_lesson[NAME_BYTES_MAX + 4], struct error *err) {
    const struct exercise *last = &app->course->exercises[app->course->exercise_count - 1];
    int digits = exercise_digits(last);
    bool in_tens = digits == FOLDER_DIGITS_MAX;
    int number = in_tens ? last->number / 10 * 10 + 10 : last->number + 1;
    if (number > (in_tens ? 999 : 99)) {
        return fail(err, STATUS_BAD_USAGE, "no lesson number is left after %d", last->number);
    }
    (void)snprintf(ret_lesson, NAME_BYTES_MAX + 4, "%0*d_%s", digits, number, name);
    return STATUS_OK;
}

enum status cmd_new(const struct app *app, enum exit_code *ret_code, struct error *err) {
    const char *name = app->options->exercise;
    char lesson[NAME_BYTES_MAX + 4];
    const struct kind *kind = NULL;
    enum status status = name_check(app, name, err);
    if (!status) {
        status = kind_find(app->options->kind, &kind, err);
    }
    if (!status) {
        status = lesson_name(app, name, lesson, err);
    }
    for (size_t i = 0; !status && kind->file[i][0]; i++) {
        status = template_copy(app->places, kind->file[i], name, lesson, err);
    }
    if (!status) {
        (void)printf(
            kind == kinds
                ? _("next: replace each FILL IN (lessons/teaching/exercises.md explains how), then "
                    "run `make stubs check-course EX=%s`\n")
                : _("next: `make stubs check-course EX=%s` proves this small example; then "
                    "make its files yours, one after the other (lessons/teaching/exercises.md "
                    "explains how)\n"),
            name);
        *ret_code = EXIT_ALL_WELL;
    }
    return status;
}

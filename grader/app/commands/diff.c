// The files that make compares: for `make diff`, a step of the course and the step before it; for
// `make answer`, a student's kernel, the reference, and its text as students read it.
#include "app/commands/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/standing.h"
#include "base/file.h"
#include "base/moment.h"
#include "exercise/stub.h"

static enum status reference_path(const struct app *app, const char *name,
                                  char path[PATH_BYTES_MAX], struct error *err) {
    bool exists = false;
    enum status status = place_make(app->places, path, err, "reference/%s.cu", name);
    if (!status) {
        status = file_exists(path, &exists, err);
    }
    if (!status && !exists) {
        status = fail(err, STATUS_BAD_USAGE, "%s: not in this course", path);
    }
    return status;
}

static enum status paths_print(const struct app *app, const struct exercise *exercise,
                               struct error *err) {
    char before[PATH_BYTES_MAX];
    char path[PATH_BYTES_MAX];
    enum status status = STATUS_OK;
    if (exercise->before[0] == '\0') {
        status = fail(err, STATUS_BAD_USAGE,
                      "%s: does not build on another exercise (its exercise.ini has no 'before')",
                      exercise->name);
    }
    if (!status) {
        status = reference_path(app, exercise->before, before, err);
    }
    if (!status) {
        status = reference_path(app, exercise->name, path, err);
    }
    if (!status) {
        (void)printf("%s %s\n", before, path);
    }
    return status;
}

enum status cmd_diff(const struct app *app, enum exit_code *ret_code, struct error *err) {
    *ret_code = EXIT_ALL_WELL;
    return app_each_named(app, paths_print, err);
}

// Errors: STATUS_BAD_USAGE, with the reason.
static enum status answer_open(const struct app *app, const char *name, struct error *err) {
    char from[MOMENT_TEXT_BYTES];
    int64_t moment = 0;
    if (!app->course->has_references) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s: the model answers are not in this course; your teacher has them", name);
    }
    if (!app->assignment || answer_is_open(app)) {
        return STATUS_OK;
    }
    if (!assignment_reference_time(app->assignment, 0, &moment)) {
        return fail(err, STATUS_BAD_USAGE, "%s: the assignment %s shows no model answers", name,
                    app->assignment->name);
    }
    moment_format(moment, from);
    return fail(err, STATUS_BAD_USAGE, "%s: the assignment %s shows model answers from %s on", name,
                app->assignment->name, from);
}

bool answer_is_open(const struct app *app) {
    int64_t from = 0;
    return app->course->has_references &&
           (!app->assignment ||
            (assignment_reference_time(app->assignment, 0, &from) && moment_now() >= from));
}

// Writes the reference without its marks, with comments in the chosen language, into build/answer/.
static enum status answer_write(const struct app *app, const struct exercise *exercise,
                                const char *reference, char path[PATH_BYTES_MAX],
                                struct error *err) {
    char *marked = NULL;
    char *stub = NULL;
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(reference, SOURCE_BYTES_MAX, &marked, &bytes, err);
    if (!status) {
        status = stub_in_language(app->course, exercise, &stub, err);
    }
    if (!status) {
        status = stub_unmark(reference, marked, stub, &text, err);
    }
    if (!status) {
        status = place_make(app->places, path, err, "build/answer");
    }
    if (!status) {
        status = folder_make(path, err);
    }
    if (!status) {
        status = place_make(app->places, path, err, "build/answer/%s.cu", exercise->name);
    }
    if (!status) {
        status = file_write(path, text, strlen(text), err);
    }
    free(text);
    free(stub);
    free(marked);
    return status;
}

static enum status answer_print(const struct app *app, const struct exercise *exercise,
                                struct error *err) {
    char own[PATH_BYTES_MAX];
    char reference[PATH_BYTES_MAX];
    char shown[PATH_BYTES_MAX];
    struct standing standing = standing_read(app->places, exercise);
    enum status status = answer_open(app, exercise->name, err);
    if (!status && !standing_passed(&standing)) {
        status = fail(err, STATUS_BAD_USAGE,
                      "%s: the model answer is shown when your kernel passes `make test EX=%s`",
                      exercise->name, exercise->name);
    }
    if (!status) {
        status = place_make(app->places, own, err, "student/%s.cu", exercise->name);
    }
    if (!status) {
        status = reference_path(app, exercise->name, reference, err);
    }
    if (!status) {
        status = answer_write(app, exercise, reference, shown, err);
    }
    if (!status) {
        (void)printf("%s %s %s\n", own, reference, shown);
    }
    return status;
}

enum status cmd_answer(const struct app *app, enum exit_code *ret_code, struct error *err) {
    *ret_code = EXIT_ALL_WELL;
    return app_each_named(app, answer_print, err);
}

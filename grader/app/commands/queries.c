// Files to compare: for `diff -u $(tilegrade diff NAME)`, a step of the course and the previous
// step; for `make practice answer`, a student's kernel, the reference, and its text as students
// read it.
//
// `tilegrade mark` decides whether an answer to a question is right, for report/practice/, by the
// same rules as a grade.  Prints one line of JSON.
#include "app/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "app/standing.h"
#include "base/file.h"
#include "exercise/assignment.h"
#include "exercise/questions.h"
#include "exercise/stub.h"
#include "judge/answers/judge_answers.h"
#include "judge/result/json_parts.h"

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
        text = stub_unmark(marked, stub);
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

// The exercise of a stored result, for the answers that follow from its kernel; NULL if there is
// none, or if the JSON is not a result.
static const json_t *exercise_find(const json_t *result, const char *name) {
    const json_t *exercise = NULL;
    size_t i = 0;
    json_array_foreach(json_object_get(result, "exercises"), i, exercise) {
        const char *own = json_string_value(json_object_get(exercise, "name"));
        if (own && name && strcmp(own, name) == 0) {
            return exercise;
        }
    }
    return NULL;
}

enum status cmd_mark(const struct app *app, enum exit_code *ret_code, struct error *err) {
    const struct options *options = app->options;
    struct questions *questions = NULL;
    struct question_kernel kernel;
    const struct mark_options *mark_options = &options->mark;
    if (!mark_options->questions || !mark_options->question || !mark_options->answer) {
        return fail(err, STATUS_BAD_USAGE,
                    "mark is given --questions, --question and --answer by `make practice`");
    }
    enum status status =
        questions_read(mark_options->questions, mark_options->bug, &questions, err);
    long number = strtol(mark_options->question, NULL, 10);
    if (!status && (number < 1 || number > questions->count)) {
        status = fail(err, STATUS_BAD_USAGE, "%s: there is no question %ld",
                      mark_options->questions, number);
    }
    if (!status) {
        json_t *result = options->result ? json_load_file(options->result, 0, NULL) : NULL;
        bool known = answers_kernel_of(exercise_find(result, options->exercise), &kernel);
        struct question_mark mark = question_mark(&questions->list[number - 1],
                                                  mark_options->answer, known ? &kernel : NULL);
        json_t *line =
            json_pack("{s:b, s:b, s:i, s:o}", "understood", mark.understood, "right", mark.right,
                      "answer", mark.answer, "value", result_text(mark.value));
        char *text = json_dumps(line, JSON_COMPACT);
        (void)puts(text);
        free(text);
        json_decref(line);
        json_decref(result);
    }
    questions_free(questions);
    *ret_code = EXIT_ALL_WELL;
    return status;
}

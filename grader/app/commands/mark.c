// `tilegrade mark`: is an answer to a question right?  report/practice/ asks, and this decides, as
// a grade does.  Prints one line of JSON.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands/command.h"
#include "base/file.h"
#include "exercise/questions.h"
#include "judge/answers/kernel.h"

// The exercise of a stored result, for the answers that follow from its kernel; NULL if there is
// none, or it is no result.
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
                    "mark is given --questions, --question and --answer by `make quiz`");
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
        json_t *line = json_pack("{s:b, s:b, s:i, s:s}", "understood", mark.understood, "right",
                                 mark.right, "answer", mark.answer, "value", mark.value);
        char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
        status = text ? STATUS_OK : fail(err, STATUS_NO_MEMORY, "no memory");
        (void)puts(text ? text : "");
        free(text);
        json_decref(line);
        json_decref(result);
    }
    questions_free(questions);
    *ret_code = EXIT_ALL_WELL;
    return status;
}

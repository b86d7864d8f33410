// `tilegrade handout-kernels --out=DIR`: the parts of a handout that are made from the kernels of
// each exercise, for tools/handout.py: stubs, in student/ and next to the lesson, where the judge
// looks for them if there are no references; and the counted work of the references.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands/commands.h"
#include "app/commands/course_jobs.h"
#include "app/commands/judging.h"
#include "base/error.h"
#include "base/file.h"
#include "base/words.h"
#include "exercise/exercise.h"
#include "exercise/stub.h"
#include "judge/speed/reference.h"

static enum status stub_place(const struct app *app, const struct exercise *exercise,
                              const char *out, struct error *err) {
    char path[PATH_BYTES_MAX];
    char *stub = NULL;
    enum status status = stub_of(app->course, exercise, &stub, err);
    if (!status) {
        status = path_make(path, err, "%s/%s/stub.cu", out, exercise->lesson);
    }
    if (!status) {
        status = file_write(path, stub, strlen(stub), err);
    }
    free(stub);
    stub = NULL;
    if (!status) {
        status = path_make(path, err, "%s/student/%s.cu", out, exercise->name);
    }
    if (!status) {
        status = stub_in_language(app->course, exercise, &stub, err);
    }
    if (!status) {
        status = file_write(path, stub, strlen(stub), err);
    }
    free(stub);
    return status;
}

// Lists the exercises that students would find half written.
static enum status unfinished_tell(const struct app *app, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < app->course->exercise_count && !status; i++) {
        const struct exercise *exercise = &app->course->exercises[i];
        struct error first;
        int count = 0;
        status = course_pages_unfinished(app->places, exercise, &count, &first, err);
        if (!status && count > 0) {
            (void)printf(
                _("  %s is not finished: FILL IN is left in %d places (make check-course EX=%s)\n"),
                exercise->lesson, count, exercise->name);
        }
    }
    return status;
}

// Gives students the counted work of the references as numbers, for the points of speed.  If the
// machine cannot count, or a reference is not finished, they are omitted with a message.
static enum status numbers_place(const struct app *app, const char *out, struct error *err) {
    char folder[PATH_BYTES_MAX];
    struct judging judging = JUDGING_CLOSED;
    struct error why = {.text = ""};
    enum status status = place_make(app->places, folder, err, "reference");
    if (status) {
        return status;
    }
    (void)printf(_("  counting the work of the references, once: this may take some minutes\n"));
    (void)fflush(stdout);
    if (judging_open(app, folder, NULL, &judging, &why) != STATUS_OK) {
        (void)printf(_("  the handout has no numbers of the references: %s\n"), why.text);
    }
    for (int i = 0; i < app->course->exercise_count && !status && judging.sandbox; i++) {
        const struct exercise *exercise = &app->course->exercises[i];
        char path[PATH_BYTES_MAX];
        status = path_make(path, err, "%s/%s/" REFERENCE_FILE, out, exercise->lesson);
        if (!status && reference_work_write(&judging.options, exercise, path, &why) != STATUS_OK) {
            (void)printf(_("  %s: the handout has no numbers of its reference: %s\n"),
                         exercise->lesson, why.text);
        }
    }
    judging_close(&judging);
    return status;
}

enum status cmd_handout_kernels(const struct app *app, enum exit_code *ret_code,
                                struct error *err) {
    const char *out = app->options->out;
    enum status status = STATUS_OK;
    for (int i = 0; i < app->course->exercise_count && !status; i++) {
        status = stub_place(app, &app->course->exercises[i], out, err);
    }
    if (!status && app->course->has_references) {
        status = numbers_place(app, out, err);
    }
    if (!status) {
        (void)printf(_("%s: %d exercises; students run `make setup test` there\n"), out,
                     app->course->exercise_count);
        *ret_code = EXIT_ALL_WELL;
        status = app->course->has_references ? unfinished_tell(app, err) : STATUS_OK;
    }
    return status;
}

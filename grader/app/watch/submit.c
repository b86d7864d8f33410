// `tilegrade submit`: which files are handed in, and what is known of each.  It writes their paths
// into build/submit/files, from which grader/tools/submit.py makes the package.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands/command.h"
#include "app/standing.h"
#include "app/terminal/terminal.h"
#include "base/file.h"
#include "base/translate.h"
#include "exercise/stub.h"

#define STATE_BYTES_MAX 128

// What happens to the file of an exercise.
enum fate { FATE_PACKED, FATE_STUB, FATE_MISSING };

// A file that cannot be read, or is too large for the judge, is an error: leaving it out in silence
// would cost its points.
static enum status fate_find(const struct app *app, const struct exercise *exercise,
                             const char *path, enum fate *ret_fate, struct error *err) {
    char *stub = NULL;
    char *text = NULL;
    size_t bytes = 0;
    bool exists = false;
    enum status status = file_exists(path, &exists, err);
    if (!status && !exists) {
        *ret_fate = FATE_MISSING;
        return STATUS_OK;
    }
    if (!status) {
        status = stub_of(app->course, exercise, &stub, err);
    }
    if (!status) {
        status = file_read(path, SOURCE_BYTES_MAX, &text, &bytes, err);
    }
    if (!status) {
        bool same = token_streams_equal(stub, strlen(stub), text, bytes);
        *ret_fate = same ? FATE_STUB : FATE_PACKED;
    }
    free(stub);
    free(text);
    return status;
}

static void row_print(const struct app *app, const struct exercise *exercise, enum fate fate) {
    struct terminal terminal = terminal_of(stdout, "", "");
    struct standing standing = standing_read(app->places, exercise);
    char text[STATE_BYTES_MAX];
    enum color color = COLOR_DIM;
    if (fate == FATE_STUB) {
        (void)snprintf(text, sizeof text, "%s", _("left out: still the stub"));
    } else if (fate == FATE_MISSING) {
        (void)snprintf(text, sizeof text, "%s", _("left out: there is no such file"));
    } else if (!standing.known || standing.stale) {
        color = COLOR_YELLOW;
        (void)snprintf(text, sizeof text, _("not tested as it is now: make test EX=%s"),
                       exercise->name);
    } else {
        color = terminal_verdict_color(standing.verdict);
        (void)snprintf(text, sizeof text, "%s", verdict_title(standing.verdict));
    }
    (void)printf("  %-20s ", exercise->name);
    terminal_color(&terminal, color, "%s", text);
    (void)putchar('\n');
}

static enum status list_write(const struct app *app, const char *list, struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = place_make(app->places, path, err, "build/submit");
    if (!status) {
        status = folder_make(path, err);
    }
    if (!status) {
        status = place_make(app->places, path, err, "build/submit/files");
    }
    return status ? status : file_write(path, list, strlen(list), err);
}

enum status cmd_submit(const struct app *app, enum exit_code *ret_code, struct error *err) {
    char list[EXERCISES_MAX * (NAME_BYTES_MAX + 16)] = "";
    size_t used = 0;
    enum status status = STATUS_OK;
    *ret_code = EXIT_ALL_WELL;
    (void)printf(_("What your teacher gets (%s):\n"),
                 app->assignment ? app->assignment->title : _("all exercises"));
    for (int i = 0; i < app->course->exercise_count && !status; i++) {
        const struct exercise *exercise = &app->course->exercises[i];
        char path[PATH_BYTES_MAX];
        enum fate fate = FATE_MISSING;
        status = place_make(app->places, path, err, "student/%s.cu", exercise->name);
        if (!status) {
            status = fate_find(app, exercise, path, &fate, err);
        }
        if (!status) {
            row_print(app, exercise, fate);
        }
        if (!status && fate == FATE_PACKED) {
            used += (size_t)snprintf(list + used, sizeof list - used, "student/%s.cu\n",
                                     exercise->name);
        }
    }
    if (!status && used == 0) {
        status =
            fail(err, STATUS_BAD_USAGE,
                 "nothing to hand in yet: every file in student/ is missing or still the stub");
    }
    if (!status) {
        (void)printf(_("Verdicts are those of your last test. The teacher's grade uses other sizes "
                       "and numbers as well.\n"));
        status = list_write(app, list, err);
    }
    return status;
}

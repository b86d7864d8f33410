// `tilegrade submit`: the files to hand in, the known facts about each, and the package.  It writes
// their paths into build/submit/files, from which grader/tools/submit.py makes the package.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands/commands.h"
#include "app/standing.h"
#include "app/terminal/terminal.h"
#include "app/watch/page.h"
#include "app/watch/tasks.h"
#include "base/file.h"
#include "base/words.h"
#include "exercise/questions.h"
#include "exercise/stub.h"

#define STATE_BYTES_MAX 128

// The action of `submit` for an exercise's file.
enum fate { FATE_PACKED, FATE_STUB, FATE_MISSING };

// A file that cannot be read, or is too large for the judge, is an error: omitting it silently
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

// The files by their paths, for submit.py, and their names for people.
struct handed {
    int count;
    char *paths;
    char *names;
};

static void handed_add(struct handed *handed, const char *file) {
    char text[NAME_BYTES_MAX + 16];
    (void)snprintf(text, sizeof text, "student/%s\n", file);
    text_append(&handed->paths, text);
    (void)snprintf(text, sizeof text, "%s%s", handed->count > 0 ? ", " : "", file);
    text_append(&handed->names, text);
    handed->count++;
}

static enum status package_write(const struct app *app, const struct handed *handed,
                                 struct error *err) {
    char program[PATH_BYTES_MAX];
    char list[PATH_BYTES_MAX];
    char out[PATH_BYTES_MAX];
    char python[] = PYTHON;
    enum status status = place_make(app->places, list, err, "build/submit");
    if (!status) {
        status = folder_make(list, err);
    }
    if (!status) {
        status = place_make(app->places, list, err, "build/submit/files");
    }
    if (!status) {
        status = file_write(list, handed->paths, strlen(handed->paths), err);
    }
    if (!status) {
        status = app->options->out
                     ? path_make(out, err, "%s", app->options->out)
                     : place_make(app->places, out, err, "build/submit/submission.zip");
    }
    if (!status) {
        status = path_make(program, err, "%s/../tools/submit.py", app->places->templates);
    }
    if (status) {
        return status;
    }
    char *argv[] = {python, program, list, out, NULL};
    int code = python_wait(argv);
    if (code != 0) {  // which has printed the reason
        return fail(err, code == 2 ? STATUS_BAD_USAGE : STATUS_SYSTEM,
                    "%s: the package could not be written", out);
    }
    (void)printf(_("Hand in %s: it has %s.\n"), out, handed->names);
    return STATUS_OK;
}

static enum status row_do(const struct app *app, const struct exercise *exercise,
                          struct handed *handed, struct error *err) {
    char path[PATH_BYTES_MAX];
    char file[NAME_BYTES_MAX + 4];
    enum fate fate = FATE_MISSING;
    enum status status = place_make(app->places, path, err, "student/%s.cu", exercise->name);
    if (!status) {
        status = fate_find(app, exercise, path, &fate, err);
    }
    if (!status) {
        row_print(app, exercise, fate);
    }
    if (!status && fate == FATE_PACKED) {
        (void)snprintf(file, sizeof file, "%s.cu", exercise->name);
        handed_add(handed, file);
    }
    return status;
}

// The answers, if they give points.
static enum status answers_do(const struct app *app, struct handed *handed, struct error *err) {
    struct terminal terminal = terminal_of(stdout, "", "");
    char path[PATH_BYTES_MAX];
    bool exists = false;
    enum status status = place_make(app->places, path, err, "student/" ANSWERS_FILE);
    if (!status && app->course->page_count > 0) {
        status = file_exists(path, &exists, err);
        (void)printf("  %-20s ", _("answers"));
        terminal_color(&terminal, exists ? COLOR_GREEN : COLOR_DIM, "%s",
                       exists ? "student/" ANSWERS_FILE : _("left out: there is no such file"));
        (void)putchar('\n');
    }
    if (exists) {
        handed_add(handed, ANSWERS_FILE);
    }
    for (int i = 0; i < app->course->page_count && !status; i++) {
        char file[NAME_BYTES_MAX + 4];
        exists = false;
        (void)snprintf(file, sizeof file, "%s.cu", app->course->pages[i].name);
        status = place_make(app->places, path, err, "student/%s", file);
        if (!status && app->course->pages[i].is_bug) {
            status = file_exists(path, &exists, err);
        }
        if (exists) {
            handed_add(handed, file);
        }
    }
    return status;
}

enum status cmd_submit(const struct app *app, enum exit_code *ret_code, struct error *err) {
    struct terminal terminal = terminal_of(stdout, "", "");
    struct handed handed = {.count = 0};
    enum status status = STATUS_OK;
    *ret_code = EXIT_ALL_WELL;
    (void)printf(_("What your teacher gets (%s):\n"),
                 app->assignment ? app->assignment->title : _("all exercises"));
    for (int i = 0; i < app->course->exercise_count && !status; i++) {
        status = row_do(app, &app->course->exercises[i], &handed, err);
    }
    if (!status) {
        status = answers_do(app, &handed, err);
    }
    if (!status && handed.count == 0) {
        status =
            fail(err, STATUS_BAD_USAGE,
                 "nothing to hand in yet: every file in student/ is missing or still the stub");
    }
    if (!status) {
        terminal_wrap(&terminal, 0,
                      _("Verdicts are those of your last test. The teacher's grade uses other "
                        "sizes and numbers as well."));
        status = package_write(app, &handed, err);
    }
    free(handed.paths);
    free(handed.names);
    return status;
}

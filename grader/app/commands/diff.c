// The two references that `make diff` compares: one step of the course and the step before it.
#include "app/commands/command.h"

#include <stdio.h>

#include "base/file.h"

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

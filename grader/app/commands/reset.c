// `tilegrade reset NAME`: writes the stub again.  The old file is kept as name.cu.1, name.cu.2 …
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands/command.h"
#include "app/standing.h"
#include "base/file.h"
#include "base/translate.h"
#include "exercise/stub.h"

#define KEPT_MAX 1000

// Links rather than renames: link never replaces a kept file, and the work has a name at all times.
static enum status old_keep(const char *path, char kept[PATH_BYTES_MAX], struct error *err) {
    for (int i = 1; i <= KEPT_MAX; i++) {
        enum status status = path_make(kept, err, "%s.%d", path, i);
        if (status) {
            return status;
        }
        if (link(path, kept) == 0) {
            return STATUS_OK;
        }
        if (errno == ENOENT) {
            kept[0] = '\0';
            return STATUS_OK;
        }
        if (errno != EEXIST) {
            return fail_errno(err, STATUS_SYSTEM, "%s: cannot be renamed to %s", path, kept);
        }
    }
    return fail(err, STATUS_SYSTEM, "%s: there are already %d old files; remove some", path,
                KEPT_MAX);
}

// True if the file is the stub, to the last byte.
static bool is_stub(const char *path, const char *stub) {
    char *text = NULL;
    size_t bytes = 0;
    bool same = !file_read(path, FILE_BYTES_MAX, &text, &bytes, NULL) && bytes == strlen(stub) &&
                memcmp(text, stub, bytes) == 0;
    free(text);
    return same;
}

// The last verdict, for `list`, and the hints seen belong to the file that was there.
static enum status memory_drop(const struct app *app, const char *name, struct error *err) {
    char path[PATH_BYTES_MAX];
    enum status status = standing_forget(app->places, name, err);
    if (!status) {
        status = place_make(app->places, path, err, "build/hints/%s", name);
    }
    if (!status && unlink(path) != 0 && errno != ENOENT) {
        status = fail_errno(err, STATUS_SYSTEM, "%s", path);
    }
    return status;
}

static enum status exercise_reset(const struct app *app, const struct exercise *exercise,
                                  struct error *err) {
    char path[PATH_BYTES_MAX];
    char kept[PATH_BYTES_MAX];
    char *stub = NULL;
    char *english = NULL;
    bool untouched = false;
    enum status status = place_make(app->places, path, err, "student/%s.cu", exercise->name);
    if (!status) {
        status = stub_in_language(app->course, exercise, &stub, err);
    }
    if (!status) {
        status = stub_of(app->course, exercise, &english, err);
    }
    if (!status) {
        untouched = is_stub(path, stub);
        kept[0] = '\0';
    }
    if (!status && !untouched && !is_stub(path, english)) {
        status = old_keep(path, kept, err);
    }
    if (!status && !untouched) {
        status = file_write(path, stub, strlen(stub), err);
    }
    if (!status) {
        status = memory_drop(app, exercise->name, err);
    }
    if (!status) {
        if (untouched) {
            (void)printf(_("%s: already the stub\n"), path);
        } else if (kept[0] == '\0') {
            (void)printf(_("%s: stub written\n"), path);
        } else {
            (void)printf(_("%s: now the stub again; your file is kept as %s\n"), path, kept);
        }
    }
    free(english);
    free(stub);
    return status;
}

enum status cmd_reset(const struct app *app, enum exit_code *ret_code, struct error *err) {
    *ret_code = EXIT_ALL_WELL;
    return app_each_named(app, exercise_reset, err);
}

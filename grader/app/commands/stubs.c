// `tilegrade stubs`: writes student/*.cu from the references.  Only a missing file or an unchanged
// stub is written, so that no work is lost.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands/command.h"
#include "base/file.h"
#include "base/translate.h"
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

// All passes, in their order: see rewrite.h.
#include "device/assembly/rewrite.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/file.h"
#include "device/assembly/passes.h"

// Runs the passes.
static enum status passes_run(struct lines *lines, struct error *err) {
    static enum status (*const passes[])(struct lines * lines, struct error * err) = {
        rewrite_flops, rewrite_copies, rewrite_guards, rewrite_calls};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < COUNT(passes) && !status; i++) {
        status = passes[i](lines, err);
    }
    return status;
}

enum status rewrite_kernel(int *ret_unseen, struct error *err) {
    struct lines lines = {.text = NULL};
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read("kernel.s", BUILD_TEXT_MAX, &text, &bytes, err);
    if (!status) {
        status = lines_open(text, &lines, err);
        text = NULL;  // now the list's
    }
    if (status) {
        return status;
    }
    if (!lines_are_known(&lines)) {
        *ret_unseen = rewrite_unseen_copy(&lines);
        lines_done(&lines);
        return STATUS_OK;
    }
    status = passes_run(&lines, err);
    if (!status) {
        status = lines_text(&lines, &text, &bytes, err);
    }
    if (!status) {
        status = file_write("kernel.s", text, bytes, err);
    }
    if (!status) {
        *ret_unseen = -1;
    }
    free(text);
    lines_done(&lines);
    return status;
}

// All passes, in their order: see rewrite.h.
#include "device/assembly/rewrite.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "device/assembly/passes.h"

#define UNSEEN_TEXT                                                                                \
    N_("passes or returns a struct straight from or to memory, which cannot be checked on this "   \
       "processor: copy it to a local variable first, or use a GPU")

// Runs the passes, on assembly of x86-64.
static enum status passes_run(struct asm_lines *lines, const char *dump,
                              struct build_report *report, struct error *err) {
    int refused = -1;
    enum status status = rewrite_flops(lines, dump, err);
    if (!status) {
        status = rewrite_unseen(lines, &refused, err);
    }
    if (!status && refused >= 0) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, refused,
                           "accesses memory by an instruction that cannot be checked");
    }
    if (!status) {
        status = rewrite_guards(lines, err);
    }
    return status ? status : rewrite_calls(lines, err);
}

enum status rewrite_kernel(struct build_report *report, struct error *err) {
    struct asm_lines lines = {.text = NULL};
    char *text = NULL;
    char *dump = NULL;
    size_t bytes = 0;
    enum status status = file_read("kernel.s", BUILD_TEXT_MAX, &text, &bytes, err);
    if (!status) {
        status = lines_open(text, &lines, err);
        text = NULL;  // now the list's
    }
    if (status) {
        return status;
    }
    bool is_known = lines_are_known(&lines);
    int unseen = is_known ? -1 : rewrite_unseen_copy(&lines);
    if (unseen >= 0) {
        build_report_fault(report, BUILD_FAULT_NEEDS_GPU, unseen, UNSEEN_TEXT);
    }
    if (is_known && access("kernel.tsan", F_OK) == 0) {  // tests may have none
        status = file_read("kernel.tsan", BUILD_TEXT_MAX, &dump, &bytes, err);
    }
    if (!status && is_known) {
        status = passes_run(&lines, dump, report, err);
    }
    status = status ? status : rewrite_shared(&lines, is_known, err);
    status = status ? status : rewrite_clusters(&lines, is_known, err);
    free(dump);
    if (!status) {
        status = lines_text(&lines, &text, &bytes, err);
    }
    if (!status) {
        status = file_write("kernel.s", text, bytes, err);
    }
    free(text);
    lines_done(&lines);
    return status;
}

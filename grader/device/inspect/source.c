// The texts, before any assembler reads one: the preprocessed file and gcc's assembly.
#include "device/inspect/inspect.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "device/assembly/listing.h"
#include "device/source/check.h"
#include "device/assembly/rewrite.h"

#define STATIC_BYTES_MAX (64 << 20)  // all arrays in kernel.s, before the assembler writes them

// Checks what macros have made of the student's text.  False if it is refused.
static bool tokens_inspect(const char *text, struct build_report *report) {
    int line = 0;
    char word[SOURCE_WORD_MAX] = "";
    enum source_problem problem = source_made_foreign(text, &line, word);
    source_refuse(problem, line, word, report);
    return report->fault == BUILD_FAULT_NONE;
}

// Reads a text that the compiler made.  A text that is too large is the fault of the file, whose
// macros grow without bound: then *ret_text stays NULL, and the report has a fault.
static enum status made_text_read(const char *path, char **ret_text, struct build_report *report,
                                  struct error *err) {
    struct stat about;
    size_t bytes = 0;
    if (stat(path, &about) == 0 && about.st_size > BUILD_TEXT_MAX) {
        build_report_fault(report, BUILD_FAULT_ERROR, 0,
                           "expands to %lld MiB of text for the compiler; at most %d MiB are read: "
                           "does a macro grow without bound?",
                           (long long)about.st_size >> 20, BUILD_TEXT_MAX >> 20);
        return STATUS_OK;
    }
    return file_read(path, BUILD_TEXT_MAX, ret_text, &bytes, err);
}

enum status inspect_text(struct build_report *report, struct error *err) {
    char *text = NULL;
    char *preprocessed = NULL;
    int line = -1;
    enum status status = made_text_read("kernel.s", &text, report, err);
    if (!status && text) {
        status = made_text_read("kernel.ii", &preprocessed, report, err);
    }
    if (status || !preprocessed || !tokens_inspect(preprocessed, report)) {
        goto out;
    }
    line = assembly_inline(text);
    if (line >= 0) {
        build_report_fault(report, BUILD_FAULT_NEEDS_GPU, line,
                           "uses inline assembly, which only a GPU can run");
    } else if (assembly_calls_anywhere(text)) {
        build_report_fault(
            report, BUILD_FAULT_NOT_ALLOWED, 0,
            "has an attribute or option that changes how functions are called: remove it");
    } else if (assembly_zeros(text) > STATIC_BYTES_MAX) {
        build_report_fault(report, BUILD_FAULT_MEMORY, 0,
                           "the static arrays take %llu bytes; a kernel file may have %d",
                           assembly_zeros(text), STATIC_BYTES_MAX);
    } else {
        status = rewrite_kernel(report, err);
    }

out:
    free(text);
    free(preprocessed);
    return status;
}

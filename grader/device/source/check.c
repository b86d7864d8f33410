// NVRTC ignores what follows a NUL byte, so two compilers would see two programs: the judge refuses
// such a file itself.
#include "device/source/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char byte_order_mark[] = {'\xef', '\xbb', '\xbf'};

// UTF-16 with its mark, or without one: every second byte of plain text is 0.
static bool is_utf16(const char *bytes, size_t count) {
    if (count < 4) {
        return false;
    }
    bool marked = memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0;
    bool little = bytes[0] != '\0' && bytes[1] == '\0' && bytes[2] != '\0' && bytes[3] == '\0';
    bool big = bytes[0] == '\0' && bytes[1] != '\0' && bytes[2] == '\0' && bytes[3] != '\0';
    return marked || little || big;
}

static bool is_blank(const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!memchr(" \t\r\n\v\f", bytes[i], 6)) {
            return false;
        }
    }
    return true;
}

static void check(const char *bytes, size_t count, struct build_report *report) {
    if (count > SOURCE_BYTES_MAX) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, 0,
                           "the file has %zu bytes; a kernel file may have at most %d", count,
                           SOURCE_BYTES_MAX);
        return;
    }
    if (is_utf16(bytes, count)) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, 0,
                           "the file is saved as UTF-16: save it as UTF-8 in your editor");
        return;
    }
    const char *nul = memchr(bytes, '\0', count);
    if (nul) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED,
                           text_line_number(bytes, (size_t)(nul - bytes)),
                           "the file contains a NUL byte, so it is not the text of a program");
        return;
    }
    if (is_blank(bytes, count)) {
        build_report_fault(report, BUILD_FAULT_NO_KERNEL, 0, "the file is empty");
    }
}

void source_refuse(enum source_problem problem, int line, const char *word,
                   struct build_report *report) {
    switch (problem) {
    case SOURCE_FINE:
        break;
    case SOURCE_INCLUDE:
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line, FOREIGN_INCLUDE_TEXT);
        break;
    case SOURCE_BUILTIN:
        build_report_fault(
            report, BUILD_FAULT_NOT_ALLOWED, line,
            "uses `%s`, an internal name of the compiler or the grader, which CUDA does not have",
            word);
        break;
    case SOURCE_ATTRIBUTE:
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line,
                           "uses the attribute `%s`, which is not allowed in a kernel file", word);
        break;
    case SOURCE_PRAGMA:
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line,
                           "has a #pragma that CUDA does not have: remove it");
        break;
    case SOURCE_PRAGMA_OPERATOR:
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line,
                           "has `pack`, `push_macro` or `pop_macro` in a _Pragma, which the CPU "
                           "device ignores: write it as a line, #pragma");
        break;
    case SOURCE_THREAD_LOCAL:
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line,
                           "declares a `%s` variable, which CUDA does not have: a variable inside "
                           "the kernel already belongs to one thread",
                           word);
        break;
    case SOURCE_MANAGED:
        build_report_fault(
            report, BUILD_FAULT_NOT_ALLOWED, line,
            "declares a `%s` variable: a kernel file must not have writable global variables",
            word);
        break;
    case SOURCE_LINE:
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line,
                           "has a #line directive: remove it, so that lines keep their numbers");
        break;
    case SOURCE_ASM:
        build_report_fault(report, BUILD_FAULT_NEEDS_GPU, line,
                           "uses inline assembly, which only a GPU can run");
        break;
    case SOURCE_SHARED:
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "a __shared__ variable has an initial value: shared memory starts "
                           "without values, so let a thread store it");
        break;
    case SOURCE_TENSOR_MAPS:
        build_report_fault(report, BUILD_FAULT_ERROR, line,
                           "takes `%s` without const __grid_constant__: each thread would get a "
                           "copy, and a GPU makes no bulk copy by the copy of a map",
                           word);
        break;
    }
}

// Gives the compilers one text: g++ joins lines at a backslash that blanks follow, NVRTC does not.
// Takes such blanks away.
static size_t splices_tidy(char *text, size_t count) {
    size_t kept = 0;
    size_t past = 0;  // the last letter that is no blank
    for (size_t i = 0; i < count; i++) {
        bool ends = text[i] == '\n' || (text[i] == '\r' && i + 1 < count && text[i + 1] == '\n');
        if (ends && past > 0 && text[past - 1] == '\\') {
            kept = past;
        }
        text[kept++] = text[i];
        past = memchr(" \t\v\f", text[i], 4) ? past : kept;
    }
    return kept;
}

enum status source_prepare(const char *bytes, size_t count, char **ret_copy, size_t *ret_copy_count,
                           struct build_report *ret_report, struct error *err) {
    if (count >= sizeof byte_order_mark &&
        memcmp(bytes, byte_order_mark, sizeof byte_order_mark) == 0) {
        bytes += sizeof byte_order_mark;
        count -= sizeof byte_order_mark;
    }
    struct build_report report;
    memset(&report, 0, sizeof report);
    check(bytes, count, &report);
    if (report.fault != BUILD_FAULT_NONE) {
        *ret_report = report;
        *ret_copy = NULL;
        *ret_copy_count = 0;
        return STATUS_OK;
    }
    char *copy = malloc(count + 2);
    if (!copy) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a kernel file");
    }
    memcpy(copy, bytes, count);
    count = splices_tidy(copy, count);
    // Without a final newline, the compiler's own text would run into the last line.  The largest
    // file has no room for one.
    if (copy[count - 1] != '\n' && count < SOURCE_BYTES_MAX) {
        copy[count++] = '\n';
    }
    copy[count] = '\0';
    // Paths in #include are refused before a compiler opens them: reading a device file might
    // never end.
    int line = 0;
    char word[SOURCE_WORD_MAX] = "";
    enum source_problem problem = source_foreign(copy, &line, word);
    source_refuse(problem, line, word, &report);
    if (report.fault != BUILD_FAULT_NONE) {
        free(copy);
        copy = NULL;
        count = 0;
    }
    *ret_report = report;
    *ret_copy = copy;
    *ret_copy_count = count;
    return STATUS_OK;
}

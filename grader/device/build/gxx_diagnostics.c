// The compiler quotes what a student wrote, so a rule looks only at the part of a line that the
// compiler words itself, or leads to a verdict that brings no points.
#include "device/build/gxx_diagnostics.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/compose.h"
#include "device/build/gxx_advice.h"
#include "device/build/gxx_trouble.h"
#include "device/build/gxx_message.h"
#include "device/build/gxx_plain.h"
#include "device/build/kind.h"

// The line of the student's file in "In file included from a.h:1,", "                 from
// submission.cu:3:", or "    inlined from '...' at submission.cu:76:35:"; 0 if there is none.
static int leading_line(const char *text) {
    static const char from[] = " from " BUILD_SOURCE ":";
    static const char at[] = " at " BUILD_SOURCE ":";
    const char *before = text_starts(text, "    inlined from ") ? at
                         : text_starts(text, "In file included") || text_starts(text, "         ")
                             ? from
                             : NULL;
    const char *found = before ? strstr(text, before) : NULL;
    return found ? (int)strtol(found + strlen(before), NULL, 10) : 0;
}

// The line of the student's file that a note below an error names; 0 if no note has these words.
static int note_line(const char *after, const char *words) {
    struct compiler_message message;
    while (compiler_message_next(&after, &message) && !message.said) {
        bool note = message.kind && strcmp(message.kind, "note") == 0;
        if (note && compiler_message_is_submission(message.file) && strstr(message.text, words)) {
            return message.line;
        }
    }
    return 0;
}

// Finds the line of the student's file in which one of our macros is expanded: the line that
// contains the macro's name.  If none does, because names are pasted, it is the last line, which is
// outside other macros.
static int expansion_line(const char *after) {
    static const char words[] = "in expansion of macro '";
    struct compiler_message message;
    int line = 0;
    while (compiler_message_next(&after, &message) && !message.said) {
        const char *found = strstr(message.text, words);
        if (!message.kind || !found || !compiler_message_is_submission(message.file)) {
            continue;
        }
        const char *name = found + strlen(words);
        const char *next = after;
        char excerpt[COMPILER_LINE_MAX];
        line = message.line;
        if (compiler_message_line(&next, excerpt) &&
            memmem(excerpt, strlen(excerpt), name, strcspn(name, "'"))) {
            return line;
        }
    }
    return line;
}

// --- The verdict ------------------------------------------------------------------------

static void judge_needs_gpu(const char *mark, int line, struct build_report *report) {
    char what[64];
    size_t length = 0;
    mark += strlen("tilegrade_needs_gpu");
    mark += strspn(mark, "_: ");
    while (length < sizeof what - 1 && mark[length] != '\0' && !strchr(" '\"(;", mark[length])) {
        what[length] = mark[length] == '_' && mark[0] != '<' ? ' ' : mark[length];
        length++;
    }
    what[length] = '\0';
    if (strcmp(what, "inline ptx") == 0) {
        build_report_fault(
            report, BUILD_FAULT_NEEDS_GPU, line,
            "uses inline PTX (asm), which only a GPU can run; ldmatrix, "
            "mma.sync, wgmma, mbarrier and cp.async also run here, as functions of ptx.cuh");
    } else if (length > 0) {
        build_report_fault(report, BUILD_FAULT_NEEDS_GPU, line, "uses %s, which only a GPU can run",
                           what);
    } else {
        build_report_fault(report, BUILD_FAULT_NEEDS_GPU, line,
                           "uses something that only a GPU can run");
    }
}

// `said` is "vector: No such file or directory", or something about a file that was found.
static void judge_include(const char *said, bool absent, int line, struct build_report *report) {
    int length = absent ? (int)strcspn(said, ":") : 0;
    bool toolkit = text_starts(said, "cuda/") || text_starts(said, "cub/") ||
                   text_starts(said, "cooperative_groups/");
    if (toolkit && length > 0 && length <= 64) {
        build_report_fault(report, BUILD_FAULT_NEEDS_GPU, line,
                           "includes <%.*s>, which is available only on a GPU", length, said);
        return;
    }
    if (length == 0 || length > 64) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line, FOREIGN_INCLUDE_TEXT);
    } else if (text_starts(said, "matmul")) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line,
                           "includes %.*s, which does not exist: did you mean matmul.cuh?", length,
                           said);
    } else {
        build_report_fault(
            report, BUILD_FAULT_NOT_ALLOWED, line,
            "includes %.*s, which a kernel file may not include: only matmul.cuh, "
            "kernel.cuh, ptx.cuh and the usual CUDA and C headers are available, by name",
            length, said);
    }
}

// `cudaMalloc`, `std`, `main` …: code for the CPU.  `excerpt` is the source line that the compiler
// quotes below.
static bool is_host_code(const char *said, const char *excerpt) {
    const char *name = strstr(said, "'cuda");
    bool api = name && isupper((unsigned char)name[5]) && strstr(said, "was not declared");
    return api || (strstr(excerpt, "<<<") && strstr(said, "expected primary-expression"));
}

// What the shim refuses by an attribute, as a call of this name.
static bool judge_shim(const struct compiler_message *message, int line,
                       struct build_report *report) {
    const char *needs_gpu = strstr(message->said, "tilegrade_needs_gpu");
    if (needs_gpu) {
        judge_needs_gpu(needs_gpu, line, report);
    } else if (strstr(message->said, "tilegrade_tensor_cores")) {
        build_report_fault(
            report, BUILD_FAULT_NOT_ALLOWED, line,
            "uses tensor cores: this exercise asks for fp32 arithmetic, so multiply and "
            "add floats");
    } else {
        return false;
    }
    return true;
}

// Judges one error.  Returns true if it decides more than "the compiler refuses".
static bool judge_error(const struct compiler_message *message, int line, const char *excerpt,
                        const char *kernel, struct build_report *report) {
    bool ours =
        compiler_message_is_submission(message->file) || compiler_message_is_ours(message->file);
    if (!ours || strstr(message->text, "fatal error: ") != NULL) {
        bool absent = strstr(message->said, "No such file or directory") ||
                      strstr(message->said, "Is a directory") ||
                      strstr(message->said, "Permission denied");
        if (!ours || absent) {
            judge_include(message->said, absent, line, report);
            return true;
        }
    }
    if (judge_shim(message, line, report)) {
        return true;
    }
    if (strstr(message->said, "'cout'") || strstr(message->said, "'cerr'")) {
        build_report_fault(
            report, BUILD_FAULT_NOT_ALLOWED, line,
            "prints with a C++ stream, which is host code: a kernel prints with printf");
        return true;
    }
    if (is_host_code(message->said, excerpt)) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line,
                           "contains host code: a kernel file contains device code only; the "
                           "grader allocates, copies and launches");
        return true;
    }
    if (strstr(excerpt, "LAUNCH_CONFIG") && text_starts(message->said, "expected constructor")) {
        build_report_fault(
            report, BUILD_FAULT_ERROR, line,
            "LAUNCH_CONFIG is not known here: is #include \"%s\" missing at the top of the file?",
            kernel_header(kernel));
        return true;
    }
    bool conflict = text_starts(message->said, "conflicting declaration") ||
                    text_starts(message->said, "ambiguating new declaration");
    if (strstr(message->said, "macro \"LAUNCH_CONFIG\"") ||
        (conflict && strstr(message->said, LAUNCH_CONFIG_SUFFIX)) ||
        (strstr(excerpt, "launch_config *launch") &&
         text_starts(message->said, "two or more data types"))) {
        build_report_fault(report, BUILD_FAULT_BAD_CONFIG, line, BAD_CONFIG_TEXT);
        return true;
    }
    if (conflict && strstr(message->said, kernel)) {
        build_report_fault(report, BUILD_FAULT_BAD_SIGNATURE, line,
                           "declares %s differently from matmul.cuh: it is `__global__ void "
                           "%s(const float *A, const float *B, float *C, int M, int N, int K)`",
                           kernel, kernel);
        return true;
    }
    return false;
}

// The verdict on a failed compilation if no special rule knows the error.
static void judge_plain(const struct compiler_error *first, int exit_code,
                        struct build_report *report) {
    bool any = first->said[0] != '\0';
    if (any &&
        (compiler_advice(first->said, first->line, report) || compiler_plain(first, report))) {
        return;
    }
    if (any) {
        build_report_fault(report, BUILD_FAULT_ERROR, first->line, "does not compile: %.400s",
                           first->said);
    } else if (exit_code > 128) {
        build_report_fault(report, BUILD_FAULT_ERROR, 0,
                           "the compiler did not finish this file: does a macro, template or "
                           "include grow without bound?");
    } else {
        build_report_fault(report, BUILD_FAULT_ERROR, 0,
                           "the compiler gave up on this file: does a macro, template or array "
                           "grow without bound?");
    }
}

// The result of the messages read so far.
struct reading {
    const char *kernel;
    char first[COMPILER_LINE_MAX];  // the first error, as the compiler words it; "" if none yet
    char excerpt[COMPILER_LINE_MAX], caret[COMPILER_LINE_MAX];  // the two lines below it
    int first_line;
    int from_line;   // the student's line that led to the next message; 0 if none
    int open_brace;  // line of the first { that is not closed; 0 if none
    int define;      // line of a #define whose ; is in the way; 0 if none
};

// True if the ; of a `#define TILE 16;` is what the compiler did not expect.
static bool is_defined_semicolon(const struct compiler_message *message, const char *excerpt) {
    const char *code = strstr(excerpt, " | ");
    const char *last = excerpt + strlen(excerpt);
    while (last > excerpt && (last[-1] == ' ' || last[-1] == '\r')) {
        last--;
    }
    return code && text_starts(code + 3 + strspn(code + 3, " "), "#define") && last[-1] == ';' &&
           strstr(message->said, "';' token") && compiler_message_is_submission(message->file);
}

// Takes one message; `rest` is the output after it.  True if it decides the verdict.
static bool message_take(struct reading *reading, const struct compiler_message *message,
                         const char *rest, struct build_report *report) {
    int leading = leading_line(message->text);
    reading->from_line = leading > 0 ? leading : reading->from_line;
    if (!message->said) {
        return false;
    }
    // An error inside a macro of ours is in our header; a note says which line used the macro.
    int line = compiler_message_is_submission(message->file) ? message->line : expansion_line(rest);
    line = line > 0 ? line : reading->from_line;
    reading->from_line = 0;
    const char *after = rest;
    char excerpt[COMPILER_LINE_MAX] = "";
    (void)compiler_message_line(&after, excerpt);
    if (judge_error(message, line, excerpt, reading->kernel, report)) {
        return true;
    }
    if (compiler_message_is_open_brace(message) && reading->open_brace == 0) {
        reading->open_brace = note_line(rest, "to match this '{'");
    }
    if (reading->define == 0 && is_defined_semicolon(message, excerpt)) {
        reading->define = message->line;
    }
    if (reading->first[0] == '\0') {
        (void)snprintf(reading->first, sizeof reading->first, "%s", message->said);
        compiler_message_plain(reading->first);
        reading->first_line = line;
        (void)snprintf(reading->excerpt, sizeof reading->excerpt, "%s", excerpt);
        (void)compiler_message_line(&after, reading->caret);
    }
    return false;
}

enum status diagnostics_judge(const char *output, const char *kernel, int exit_code,
                              struct build_report *report, struct error *err) {
    struct compiler_message message;
    struct reading reading = {.kernel = kernel};
    if (exit_code == 128 + SIGKILL) {
        // The box reports its own limits; this signal came from elsewhere.
        return fail(err, STATUS_SYSTEM,
                    "the compiler was killed: is this machine short of memory?");
    }
    while (compiler_message_next(&output, &message)) {
        enum status status = compiler_trouble(&message, err);
        if (status) {
            return status;
        }
        if (message_take(&reading, &message, output, report)) {
            return STATUS_OK;
        }
    }
    if (reading.open_brace > 0) {
        build_report_fault(report, BUILD_FAULT_ERROR, reading.open_brace,
                           "a } is missing: the { of line %d, or one inside it, is not closed",
                           reading.open_brace);
        return STATUS_OK;
    }
    if (reading.define > 0) {
        build_report_fault(report, BUILD_FAULT_ERROR, reading.define,
                           "the ; at the end of a #define becomes part of every place that uses "
                           "its name");
        return STATUS_OK;
    }
    const struct compiler_error first = {.said = reading.first,
                                         .excerpt = reading.excerpt,
                                         .caret = reading.caret,
                                         .line = reading.first_line};
    judge_plain(&first, exit_code, report);
    return STATUS_OK;
}

// The compiler quotes what a student wrote, so a rule looks only at the part of a line that the
// compiler words itself, or leads to a verdict that brings no points.
#include "device/build/diagnostics.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/texts.h"
#include "device/build/report.h"
#include "device/build/compiler_advice.h"
#include "device/build/compiler_trouble.h"
#include "device/build/compiler_message.h"

// The line of the student's file in "In file included from a.h:1," or "                 from
// submission.cu:3:".
static int included_line(const char *text) {
    const char *from = strstr(text, " from " BUILD_SOURCE ":");
    bool context = strncmp(text, "In file included", 16) == 0 || strncmp(text, "      ", 6) == 0;
    return from && context ? (int)strtol(from + strlen(" from " BUILD_SOURCE ":"), NULL, 10) : 0;
}

// An error inside a macro of ours stands in our header; the notes below it say which line of the
// student's used the macro.
static int expansion_line(const char *after) {
    struct compiler_message message;
    while (compiler_message_next(&after, &message) && !message.said) {
        bool note = message.kind && strcmp(message.kind, "note") == 0;
        if (note && compiler_message_is_submission(message.file) &&
            strstr(message.text, "in expansion of macro")) {
            return message.line;
        }
    }
    return 0;
}

// The line of the { that the note below such an error speaks of; 0 where there is none.
static int brace_line(const char *after) {
    struct compiler_message message;
    while (compiler_message_next(&after, &message) && !message.said) {
        bool note = message.kind && strcmp(message.kind, "note") == 0;
        if (note && compiler_message_is_submission(message.file) &&
            strstr(message.text, "to match this '{'")) {
            return message.line;
        }
    }
    return 0;
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
        (void)snprintf(what, sizeof what, "inline PTX (asm)");
    }
    build_report_fault(report, BUILD_FAULT_NEEDS_GPU, line, "uses %s, which only a GPU can run",
                       length > 0 ? what : _("something"));
}

// `said` is "vector: No such file or directory", or something about a file that was found.
static void judge_include(const char *said, bool absent, int line, struct build_report *report) {
    int length = absent ? (int)strcspn(said, ":") : 0;
    bool toolkit = strncmp(said, "cuda/", 5) == 0 || strncmp(said, "cub/", 4) == 0 ||
                   strncmp(said, "cooperative_groups/", 19) == 0;
    if (toolkit && length > 0 && length <= 64) {
        build_report_fault(report, BUILD_FAULT_NEEDS_GPU, line,
                           "includes <%.*s>, which is there only for a GPU", length, said);
        return;
    }
    if (length == 0 || length > 64) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line, FOREIGN_INCLUDE_TEXT);
    } else if (strncmp(said, "matmul", 6) == 0) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line,
                           "includes %.*s, which is not there: did you mean matmul.cuh?", length,
                           said);
    } else {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line,
                           "includes %.*s, which a kernel file may not include: only matmul.cuh "
                           "and the usual CUDA and C headers, by name, are there",
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

// Judges one error.  Returns true where it decides more than "the compiler refuses".
static bool judge_error(const struct compiler_message *message, int line, const char *excerpt,
                        const char *kernel, struct build_report *report) {
    const char *needs_gpu = strstr(message->said, "tilegrade_needs_gpu");
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
    if (needs_gpu) {
        judge_needs_gpu(needs_gpu, line, report);
        return true;
    }
    if (strstr(message->said, "'cout'") || strstr(message->said, "'cerr'")) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line,
                           "prints with a stream of C++, which is host code: a kernel prints with "
                           "printf");
        return true;
    }
    if (is_host_code(message->said, excerpt)) {
        build_report_fault(report, BUILD_FAULT_NOT_ALLOWED, line,
                           "contains host code: a kernel file holds device code only; the grader "
                           "allocates, copies and launches");
        return true;
    }
    if (strstr(excerpt, "LAUNCH_CONFIG") &&
        strncmp(message->said, "expected constructor", 20) == 0) {
        build_report_fault(
            report, BUILD_FAULT_ERROR, line,
            "LAUNCH_CONFIG is not known here: is #include \"matmul.cuh\" missing at the "
            "top of the file?");
        return true;
    }
    bool conflict = strncmp(message->said, "conflicting declaration", 23) == 0 ||
                    strncmp(message->said, "ambiguating new declaration", 27) == 0;
    if (conflict && strstr(message->said, kernel)) {
        build_report_fault(report, BUILD_FAULT_BAD_SIGNATURE, line,
                           "declares %s in another way than matmul.cuh: it is `__global__ void "
                           "%s(const float *A, const float *B, float *C, int M, int N, int K)`",
                           kernel, kernel);
        return true;
    }
    return false;
}

// What a failed compilation is called when no special rule knows the error.
static void judge_plain(const struct compiler_message *first, int line, int exit_code,
                        struct build_report *report) {
    if (first->said && compiler_advice(first->said, line, report)) {
        return;
    }
    if (first->said) {
        build_report_fault(report, BUILD_FAULT_ERROR, line, "does not compile: %.400s",
                           first->said);
    } else if (exit_code > 128) {
        build_report_fault(report, BUILD_FAULT_ERROR, 0,
                           "the compiler did not come to an end with this file: is there a macro, "
                           "template or include that grows without bound?");
    } else {
        build_report_fault(report, BUILD_FAULT_ERROR, 0,
                           "the compiler gave up on this file: is there a macro, template or array "
                           "that grows without bound?");
    }
}

enum status diagnostics_judge(const char *output, const char *kernel, int exit_code,
                              struct build_report *report, struct error *err) {
    struct compiler_message message;
    struct compiler_message first = {.said = NULL};
    int first_line = 0;
    int from_line = 0;
    int open_brace = 0;
    if (exit_code == 128 + SIGKILL) {
        // The box tells its own limits; this one was somebody else.
        return fail(err, STATUS_SYSTEM,
                    "the compiler was killed: is this machine short of memory?");
    }
    while (compiler_message_next(&output, &message)) {
        enum status status = compiler_trouble(&message, err);
        if (status) {
            return status;
        }
        int included = included_line(message.text);
        from_line = included > 0 ? included : from_line;
        if (!message.said) {
            continue;
        }
        int line =
            compiler_message_is_submission(message.file) ? message.line : expansion_line(output);
        line = line > 0 ? line : from_line;
        const char *after = output;
        char excerpt[COMPILER_LINE_MAX] = "";
        (void)compiler_message_line(&after, excerpt);
        if (judge_error(&message, line, excerpt, kernel, report)) {
            return STATUS_OK;
        }
        open_brace = compiler_message_is_open_brace(&message) && open_brace == 0
                         ? brace_line(output)
                         : open_brace;
        if (!first.said) {
            first = message;
            first.said = first.text + (message.said - message.text);
            first_line = line;
        }
        from_line = 0;
    }
    if (open_brace > 0) {
        build_report_fault(report, BUILD_FAULT_ERROR, open_brace,
                           "a } is missing: the { of line %d, or one inside it, is not closed",
                           open_brace);
        return STATUS_OK;
    }
    judge_plain(&first, first_line, exit_code, report);
    return STATUS_OK;
}

// The messages are those of the EDG front end, "file(line): error: text", and of ptxas.  Only the
// few messages that mean something special in this course are recognised by their words.  If a
// wording changes, the verdict is build_error, never pass.
#include "device/build/nvrtc_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "base/compose.h"
#include "base/utf8.h"
#include "device/build/kind.h"

#define LOG_LINES_MAX 40

#define SIGNATURE_TEXT                                                                             \
    N_("declares the kernel differently from matmul.cuh: it returns void and takes (const "        \
       "float *A, const float *B, float *C, int M, int N, int K)")

// A message of the compiler: borrowed parts of the log.
struct message {
    bool in_submission;
    int line;
    const char *text;
    int text_bytes;
};

// What a message of the compiler means; texts follow "tiled.cu:17: ".
static const struct meaning {
    const char *words[2];  // the message has both
    enum build_fault fault;
    bool kernel;  // counts only if the source line names the kernel
    const char *text;
} meanings[] = {
    {{"is considered a host function", ""},
     BUILD_FAULT_NOT_ALLOWED,
     false,
     N_("this function is host code: write __device__ before it, because a kernel file contains "
        "device code only")},
    {{"redeclared without __global__", ""},
     BUILD_FAULT_NOT_ALLOWED,
     false,
     N_("this is the kernel: write __global__ before it, because the grader launches it")},
    {{"explicitly marked as a __host__ function", ""},
     BUILD_FAULT_NOT_ALLOWED,
     false,
     N_("this function is host code: write __device__ before it, because a kernel file contains "
        "device code only")},
    {{"is considered a host variable", ""},
     BUILD_FAULT_NOT_ALLOWED,
     false,
     N_("this variable belongs to the host: a kernel file may contain constants (constexpr), and "
        "variables inside its functions")},
    {{"identifier \"cuda", "is undefined"},
     BUILD_FAULT_NOT_ALLOWED,
     false,
     N_("contains host code: a kernel file contains device code only; the grader allocates, copies "
        "and launches")},
    {{"kernel launch from __device__", ""},
     BUILD_FAULT_NOT_ALLOWED,
     false,
     N_("launches a kernel: a kernel file contains device code only; the grader allocates, copies "
        "and launches")},
    {{"device-side kernel launch", ""},
     BUILD_FAULT_NOT_ALLOWED,
     false,
     N_("launches a kernel: a kernel file contains device code only; the grader allocates, copies "
        "and launches")},
    {{"open source file", ""}, BUILD_FAULT_NOT_ALLOWED, false, FOREIGN_INCLUDE_TEXT},
    {{LAUNCH_CONFIG_SUFFIX "\" has \"C\" linkage", ""},
     BUILD_FAULT_BAD_CONFIG,
     true,
     BAD_CONFIG_TEXT},
    {{"arguments in invocation of macro \"LAUNCH_CONFIG\"", ""},
     BUILD_FAULT_BAD_CONFIG,
     false,
     BAD_CONFIG_TEXT},
    {{"has \"C\" linkage", ""}, BUILD_FAULT_BAD_SIGNATURE, true, SIGNATURE_TEXT},
    {{"distinguished by return type alone", ""}, BUILD_FAULT_BAD_SIGNATURE, true, SIGNATURE_TEXT},
    {{"must have a void return type", ""}, BUILD_FAULT_BAD_SIGNATURE, true, SIGNATURE_TEXT},
};

// Reads one line of the log.  False: it is not an error message.
static bool message_read(const char *log, int bytes, const char *file,
                         struct message *ret_message) {
    static const char *const kinds[] = {"): error: ",       "): catastrophic error: ",
                                        "ptxas error   : ", "ptxas fatal   : ",
                                        "; error   : ",     "; fatal   : "};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const char *at = memmem(log, (size_t)bytes, kinds[i], strlen(kinds[i]));
        if (!at) {
            continue;
        }
        size_t name = strlen(file);
        bool own = strncmp(log, file, name) == 0 && log[name] == '(';
        int offset = (int)(at - log) + (int)strlen(kinds[i]);
        ret_message->in_submission = own;
        ret_message->line = own ? (int)strtol(log + name + 1, NULL, 10) : 0;
        ret_message->text = log + offset;
        ret_message->text_bytes = bytes - offset;
        return true;
    }
    return false;
}

// True if a line of the source contains the kernel's name.
static bool line_names(const char *source, int line, const char *kernel) {
    for (int i = 1; i < line && source; i++) {
        source = strchr(source, '\n');
        source = source ? source + 1 : NULL;
    }
    return source && memmem(source, strcspn(source, "\n"), kernel, strlen(kernel)) != NULL;
}

static bool message_holds(const struct message *message, const char *words) {
    return memmem(message->text, (size_t)message->text_bytes, words, strlen(words)) != NULL;
}

static const struct meaning *meaning_find(const struct message *message, const char *source,
                                          const char *kernel) {
    for (size_t i = 0; i < COUNT(meanings); i++) {
        const struct meaning *meaning = &meanings[i];
        if (message_holds(message, meaning->words[0]) &&
            message_holds(message, meaning->words[1]) &&
            (!meaning->kernel || line_names(source, message->line, kernel))) {
            return meaning;
        }
    }
    return NULL;
}

// ptxas knows the instruction, but this architecture does not have it.
static bool gpu_lacks_it(const struct message *message) {
    return !message->in_submission && (message_holds(message, "requires .target") ||
                                       message_holds(message, "not supported on .target"));
}

// Puts a message into the report if it weighs more than what is there: not_allowed before any
// other error, and that before a bad signature.
static void message_take(const struct message *message, const char *source, const char *kernel,
                         struct build_report *report) {
    const struct meaning *meaning =
        message->in_submission ? meaning_find(message, source, kernel) : NULL;
    enum build_fault fault = meaning                 ? meaning->fault
                             : gpu_lacks_it(message) ? BUILD_FAULT_NEEDS_GPU
                                                     : BUILD_FAULT_ERROR;
    static const int weight[BUILD_FAULT_COUNT] = {[BUILD_FAULT_NOT_ALLOWED] = 3,
                                                  [BUILD_FAULT_ERROR] = 1,
                                                  [BUILD_FAULT_NEEDS_GPU] = 2,
                                                  [BUILD_FAULT_BAD_SIGNATURE] = 2,
                                                  [BUILD_FAULT_BAD_CONFIG] = 2};
    if (weight[fault] <= weight[report->fault]) {
        return;
    }
    if (meaning) {
        build_report_fault(report, fault, message->line, "%s", meaning->text);
    } else if (fault == BUILD_FAULT_NEEDS_GPU) {
        build_report_fault(report, fault, 0,
                           "uses an instruction that this GPU does not have (%.*s): the lesson "
                           "says which GPU has it, and DEVICE=emu tests the kernel on the CPU",
                           message->text_bytes < 120 ? message->text_bytes : 120, message->text);
    } else {
        build_report_fault(report, fault, message->line, "does not compile: %.*s",
                           message->text_bytes < 400 ? message->text_bytes : 400, message->text);
    }
}

// A header of ours includes the toolkit's; if that one is missing, the message names our header.
static bool toolkit_is_missing(const struct message *message) {
    return !message->in_submission && message_holds(message, "open source file");
}

void compile_log_judge(const char *log, const char *file, const char *source, const char *kernel,
                       struct build_report *report) {
    for (const char *at = log; *at != '\0';) {
        int bytes = (int)strcspn(at, "\n");
        struct message message;
        if (message_read(at, bytes, file, &message)) {
            if (toolkit_is_missing(&message)) {
                // Not the file's fault, and no reason to leave other exercises ungraded.
                build_report_fault(report, BUILD_FAULT_NEEDS_GPU, 0,
                                   "includes a header of the CUDA toolkit that is not on this "
                                   "machine (%.*s): install the toolkit, or set CUDA_HOME",
                                   message.text_bytes, message.text);
                return;
            }
            message_take(&message, source, kernel, report);
        }
        at += bytes;
        at += *at == '\n';
    }
    if (report->fault == BUILD_FAULT_NONE) {
        build_report_fault(report, BUILD_FAULT_ERROR, 0,
                           "the compiler gave up on this file: does a macro, template or array "
                           "grow without bound?");
    }
}

// Copies one line with the student's file by its name and our headers without their folder.
static void line_copy(FILE *out, const char *line, size_t bytes, const char *kernel,
                      const char *folder) {
    const char *exercise = kernel_exercise(kernel);
    size_t source = strlen(BUILD_SOURCE);
    size_t length = strlen(folder);
    for (size_t i = 0; i < bytes;) {
        if (length > 0 && bytes - i > length && strncmp(line + i, folder, length) == 0 &&
            line[i + length] == '/') {
            i += length + 1;
        } else if (bytes - i >= source && strncmp(line + i, BUILD_SOURCE, source) == 0) {
            (void)fprintf(out, "%s.cu", exercise);
            i += source;
        } else {
            (void)fputc(line[i++], out);
        }
    }
    (void)fputc('\n', out);
}

enum status compile_log_show(const char *log, const char *kernel, const char *folder,
                             char **ret_text, struct error *err) {
    char *text = NULL;
    size_t used = 0;
    FILE *out = open_memstream(&text, &used);
    if (!out) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the compiler's messages");
    }
    int lines = 0;
    size_t total = 0;
    for (const char *at = log; *at != '\0' && lines < LOG_LINES_MAX;) {
        size_t bytes = strcspn(at, "\r\n");
        bool keep = strspn(at, " \t") < bytes && !text_starts(at, "Remark: ");
        total += bytes;
        if (keep && total < DIAGNOSTICS_MAX /
                                2) {  // half: a name shown may be longer than the name it replaces
            line_copy(out, at, bytes, kernel, folder);
            lines++;
        }
        at += bytes;
        at += strspn(at, "\r\n");
    }
    bool failed = ferror(out) != 0;
    if (!stream_close(out, &text) || failed) {
        free(text);
        return fail(err, STATUS_NO_MEMORY, "no memory for the compiler's messages");
    }
    text_clean(text);
    *ret_text = text;
    return STATUS_OK;
}

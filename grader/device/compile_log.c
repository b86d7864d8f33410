// The messages are those of the EDG front end, "file(line): error: text", and of ptxas.  Only the
// few that mean something special in this course are known by their words; a wording that changes
// makes a build_error, never a pass.
#include "device/compile_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_LINES_MAX 40

// A message of the compiler: borrowed parts of the log.
struct message {
    bool in_submission;
    int line;
    const char *text;
    int text_bytes;
};

// What a message means.  `kernel` rows count only where the line in the source names the kernel.
static const struct meaning {
    const char *words;
    enum build_fault fault;
    bool kernel;
    const char *text;
} meanings[] = {
    {"is considered a host function", BUILD_FAULT_NOT_ALLOWED, false,
     "Line %d holds a function for the CPU. Code of a kernel file runs on the GPU: write "
     "__device__ "
     "before a helper function."},
    {"is considered a host variable", BUILD_FAULT_NOT_ALLOWED, false,
     "Line %d holds a variable of the CPU. A kernel file may hold constants (constexpr), and "
     "variables "
     "inside its functions."},
    {"could not open source file", BUILD_FAULT_NOT_ALLOWED, false,
     "Line %d includes a file that is not there. A kernel file may include matmul.cuh and the "
     "usual "
     "CUDA and C headers."},
    {"cannot open source file", BUILD_FAULT_NOT_ALLOWED, false,
     "Line %d includes a file that is not there. A kernel file may include matmul.cuh and the "
     "usual "
     "CUDA and C headers."},
    {"has \"C\" linkage", BUILD_FAULT_BAD_SIGNATURE, true,
     "The kernel on line %d has other parameters than the course asks for: (const float *A, const "
     "float *B, float *C, int M, int N, int K)."},
    {"distinguished by return type alone", BUILD_FAULT_BAD_SIGNATURE, true,
     "The kernel on line %d returns something. A kernel returns void."},
    {"must have a void return type", BUILD_FAULT_BAD_SIGNATURE, true,
     "The kernel on line %d returns something. A kernel returns void."},
};

// Reads one line of the log.  False: it is no error message.
static bool message_read(const char *log, int bytes, const char *file,
                         struct message *ret_message) {
    static const char *const kinds[] = {"): error: ",       "): catastrophic error: ",
                                        "ptxas error   : ", "ptxas fatal   : ",
                                        "; error   : ",     "; fatal   : "};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
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

// True where a line of the source holds the kernel's name.
static bool line_names(const char *source, int line, const char *kernel) {
    for (int i = 1; i < line && source; i++) {
        source = strchr(source, '\n');
        source = source ? source + 1 : NULL;
    }
    return source && memmem(source, strcspn(source, "\n"), kernel, strlen(kernel)) != NULL;
}

static const struct meaning *meaning_find(const struct message *message, const char *source,
                                          const char *kernel) {
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        const struct meaning *meaning = &meanings[i];
        if (memmem(message->text, (size_t)message->text_bytes, meaning->words,
                   strlen(meaning->words)) &&
            (!meaning->kernel || line_names(source, message->line, kernel))) {
            return meaning;
        }
    }
    return NULL;
}

// Takes a message into the report where it weighs more than what is there: not_allowed before any
// other error, and that before a bad signature.
static void message_take(const struct message *message, const char *source, const char *kernel,
                         struct build_report *report) {
    const struct meaning *meaning =
        message->in_submission ? meaning_find(message, source, kernel) : NULL;
    enum build_fault fault = meaning ? meaning->fault : BUILD_FAULT_ERROR;
    static const int weight[BUILD_FAULT_COUNT] = {
        [BUILD_FAULT_NOT_ALLOWED] = 3, [BUILD_FAULT_ERROR] = 1, [BUILD_FAULT_BAD_SIGNATURE] = 2};
    if (weight[fault] <= weight[report->fault]) {
        return;
    }
    report->fault = fault;
    report->line = message->line;
    if (meaning) {
        // The only conversion of these texts is one %d.
        const char *place = strstr(meaning->text, "%d");
        (void)snprintf(report->text, sizeof report->text, "%.*s%d%s", (int)(place - meaning->text),
                       meaning->text, message->line, place + 2);
    } else if (message->line > 0) {
        (void)snprintf(report->text, sizeof report->text, "The compiler stops at line %d: %.*s",
                       message->line, message->text_bytes, message->text);
    } else {
        (void)snprintf(report->text, sizeof report->text, "The compiler refuses the file: %.*s",
                       message->text_bytes, message->text);
    }
}

// A header of ours passes on to the toolkit's; when that one is missing the message stands in our
// header.
static bool toolkit_is_missing(const struct message *message) {
    return !message->in_submission &&
           memmem(message->text, (size_t)message->text_bytes, "open source file", 16) != NULL;
}

enum status compile_log_judge(const char *log, const char *file, const char *source,
                              const char *kernel, struct build_report *report, struct error *err) {
    for (const char *at = log; *at != '\0';) {
        int bytes = (int)strcspn(at, "\n");
        struct message message;
        if (message_read(at, bytes, file, &message)) {
            if (toolkit_is_missing(&message)) {
                return fail(
                    err, STATUS_UNAVAILABLE,
                    "the CUDA toolkit's headers are not on this machine (%.*s); install the "
                    "toolkit, or set CUDA_HOME",
                    message.text_bytes, message.text);
            }
            message_take(&message, source, kernel, report);
        }
        at += bytes;
        at += *at == '\n';
    }
    if (report->fault == BUILD_FAULT_NONE) {
        report->fault = BUILD_FAULT_ERROR;
        report->line = 0;
        (void)snprintf(report->text, sizeof report->text, "The compiler refuses the file.");
    }
    return STATUS_OK;
}

// Bytes of the UTF-8 character at `at`, 0 where there is none.
// Source: RFC 3629, section 4.
static size_t utf8_length(const unsigned char *at) {
    size_t more = *at < 0x80                   ? 0
                  : *at >= 0xc2 && *at <= 0xdf ? 1
                  : *at >= 0xe0 && *at <= 0xef ? 2
                  : *at >= 0xf0 && *at <= 0xf4 ? 3
                                               : 4;
    if (more == 4) {
        return 0;
    }
    for (size_t i = 1; i <= more; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool bad = (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] > 0x9f) ||
               (*at == 0xf0 && at[1] < 0x90) || (*at == 0xf4 && at[1] > 0x8f);
    return bad ? 0 : more + 1;
}

char *text_utf8(const char *text) {
    char *clean = strdup(text);
    for (size_t at = 0; clean && clean[at] != '\0';) {
        size_t length = utf8_length((const unsigned char *)clean + at);
        bool control = (unsigned char)clean[at] < 0x20 && clean[at] != '\n' && clean[at] != '\t';
        if (length == 0 || control || clean[at] == 0x7f) {
            clean[at] = '?';
            length = 1;
        }
        at += length;
    }
    return clean;
}

// Copies one line without the name of our folder.  Returns the bytes written.
static size_t line_copy(char *to, const char *line, size_t bytes, const char *folder) {
    size_t length = strlen(folder);
    size_t used = 0;
    for (size_t i = 0; i < bytes;) {
        if (length > 0 && bytes - i > length && strncmp(line + i, folder, length) == 0 &&
            line[i + length] == '/') {
            i += length + 1;
        } else if (line[i] == '\r') {
            i++;
        } else {
            to[used++] = line[i++];
        }
    }
    to[used++] = '\n';
    return used;
}

char *compile_log_clean(const char *log, const char *folder) {
    char *clean = malloc(strlen(log) + 2);
    if (!clean) {
        return NULL;
    }
    size_t used = 0;
    int lines = 0;
    for (const char *at = log; *at != '\0' && lines < LOG_LINES_MAX;) {
        size_t bytes = strcspn(at, "\n");
        bool keep = strspn(at, " \t\r") < bytes && strncmp(at, "Remark: ", 8) != 0;
        if (keep && used + bytes + 1 < DIAGNOSTICS_MAX) {
            used += line_copy(clean + used, at, bytes, folder);
            lines++;
        }
        at += bytes;
        at += *at == '\n';
    }
    clean[used] = '\0';
    char *text = text_utf8(clean);
    free(clean);
    return text;
}

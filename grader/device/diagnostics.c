// g++'s messages, read line by line.  The form is the one of LC_ALL=C:
//
//     In file included from submission.cu:3:
//     /…/mma.h:6:2: error: #error tilegrade_needs_gpu: <mma.h>
//         6 | #error tilegrade_needs_gpu: <mma.h>
//
// The compiler quotes what a student wrote, so a rule looks only at the part of a line that the
// compiler words itself, or leads to a verdict that brings no points.
#include "device/diagnostics.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/build_report.h"
#include "device/text.h"

#define LINE_MAX_BYTES                                                                             \
    2000  // longer lines are cut: a message that long is a template or a macro unrolled

// One line of the output.
struct message {
    char text[LINE_MAX_BYTES];
    char file[256];  // "" for lines that name no place
    int line;
    const char *said;  // behind "error: "; NULL where the line is no error
    const char *kind;  // "error", "warning", "note" or NULL
};

// Copies the next line of *at and moves *at behind it.  False at the end.
static bool line_next(const char **at, char text[LINE_MAX_BYTES]) {
    if (**at == '\0') {
        return false;
    }
    size_t length = strcspn(*at, "\n");
    size_t kept = length < LINE_MAX_BYTES - 1 ? length : LINE_MAX_BYTES - 1;
    memcpy(text, *at, kept);
    text[kept] = '\0';
    *at += length + ((*at)[length] == '\n');
    return true;
}

// Reads "file:12:" at the start of a line.
static const char *place_read(const char *text, struct message *message) {
    const char *colon = strchr(text, ':');
    if (!colon || colon == text || text[0] == ' ' ||
        (size_t)(colon - text) >= sizeof message->file) {
        return NULL;
    }
    char *end = NULL;
    long line = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || *end != ':' || line < 1 || line > SOURCE_BYTES_MAX) {
        return NULL;
    }
    memcpy(message->file, text, (size_t)(colon - text));
    message->file[colon - text] = '\0';
    message->line = (int)line;
    while (isdigit((unsigned char)end[1])) {  // the column
        end = strchr(end + 1, ':');
        if (!end) {
            return NULL;
        }
    }
    return end + 1;
}

static bool message_next(const char **at, struct message *message) {
    static const struct {
        const char *mark, *kind;
    } kinds[] = {{" fatal error: ", "error"},
                 {" error: ", "error"},
                 {" warning: ", "warning"},
                 {" note: ", "note"}};
    if (!line_next(at, message->text)) {
        return false;
    }
    message->file[0] = '\0';
    message->line = 0;
    message->said = NULL;
    message->kind = NULL;
    bool context = strncmp(message->text, "In file included", 16) == 0;
    const char *rest = context ? NULL : place_read(message->text, message);
    for (size_t i = 0; rest && i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].mark);
        if (strncmp(rest, kinds[i].mark, length) == 0) {
            message->kind = kinds[i].kind;
            message->said = strcmp(message->kind, "error") == 0 ? rest + length : NULL;
            break;
        }
    }
    return true;
}

static bool is_submission(const char *file) {
    return strcmp(file, BUILD_SOURCE) == 0;
}

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
    struct message message;
    while (message_next(&after, &message) && !message.said) {
        bool note = message.kind && strcmp(message.kind, "note") == 0;
        if (note && is_submission(message.file) && strstr(message.text, "in expansion of macro")) {
            return message.line;
        }
    }
    return 0;
}

// A missing } shows at the end of the file, and whatever stands between confuses the compiler.
static bool is_open_brace(const struct message *message) {
    return message->said && strcmp(message->said, "expected '}' at end of input") == 0;
}

// The line of the { that the note below such an error speaks of; 0 where there is none.
static int brace_line(const char *after) {
    struct message message;
    while (message_next(&after, &message) && !message.said) {
        bool note = message.kind && strcmp(message.kind, "note") == 0;
        if (note && is_submission(message.file) && strstr(message.text, "to match this '{'")) {
            return message.line;
        }
    }
    return 0;
}

// Ours are the headers beside matmul.cuh and those of the shim.
static bool is_ours(const char *file) {
    return strstr(file, "/include/standin/") != NULL ||
           strstr(file, "/include/matmul.cuh") != NULL || strstr(file, "/emu/shim/cuda_") != NULL;
}

// --- The verdict ------------------------------------------------------------------------

// Where the compiler itself failed: its parts say so under their own names, never under a file's.
static enum status compiler_check(const struct message *message, struct error *err) {
    const char *text = message->text;
    bool own = strncmp(text, "g++: ", 5) == 0 || strncmp(text, "gcc: ", 5) == 0 ||
               strncmp(text, "cc1plus: ", 9) == 0 || strncmp(text, "as: ", 4) == 0;
    if (own && (strstr(text, "cannot execute") || strstr(text, "error trying to exec"))) {
        return fail(err, STATUS_UNAVAILABLE,
                    "the C++ compiler is not complete (%.200s): run `make setup`", text);
    }
    bool writing = message->said && strncmp(message->said, "error writing to ", 17) == 0;
    if ((own || writing) && strstr(text, "No space left on device")) {
        return fail(err, STATUS_SYSTEM, "no disk space for the build: %.200s", text);
    }
    return STATUS_OK;
}

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
                       length > 0 ? what : "something");
}

// `said` is "vector: No such file or directory", or something about a file that was found.
static void judge_include(const char *said, bool absent, int line, struct build_report *report) {
    int length = absent ? (int)strcspn(said, ":") : 0;
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
static bool judge_error(const struct message *message, int line, const char *excerpt,
                        const char *kernel, struct build_report *report) {
    const char *needs_gpu = strstr(message->said, "tilegrade_needs_gpu");
    bool ours = is_submission(message->file) || is_ours(message->file);
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
static void judge_plain(const struct message *first, int line, int exit_code,
                        struct build_report *report) {
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
    struct message message;
    struct message first = {.said = NULL};
    int first_line = 0;
    int from_line = 0;
    int open_brace = 0;
    while (message_next(&output, &message)) {
        enum status status = compiler_check(&message, err);
        if (status) {
            return status;
        }
        int included = included_line(message.text);
        from_line = included > 0 ? included : from_line;
        if (!message.said) {
            continue;
        }
        int line = is_submission(message.file) ? message.line : expansion_line(output);
        line = line > 0 ? line : from_line;
        const char *after = output;
        char excerpt[LINE_MAX_BYTES] = "";
        (void)line_next(&after, excerpt);
        if (judge_error(&message, line, excerpt, kernel, report)) {
            return STATUS_OK;
        }
        open_brace = is_open_brace(&message) && open_brace == 0 ? brace_line(output) : open_brace;
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

// --- The text ---------------------------------------------------------------------------

// True where a warning says that a variable has no value yet.
static bool is_uninitialized(const char *line, size_t length) {
    return memmem(line, length, ": warning: ", 11) &&
           (memmem(line, length, "[-Wuninitialized]", 17) ||
            memmem(line, length, "[-Wmaybe-uninitialized]", 23));
}

enum status diagnostics_uninitialized(const char *shown, char **ret_text, struct error *err) {
    char *text = malloc(strlen(shown) + 1);
    size_t used = 0;
    bool wanted = false;
    if (!text) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the compiler's messages");
    }
    while (*shown != '\0') {
        size_t length = strcspn(shown, "\n");
        length += shown[length] == '\n';
        if (memmem(shown, length, ": warning: ", 11)) {
            wanted = is_uninitialized(shown, length);
        } else if (shown[0] != ' ' && !memmem(shown, length, ": note: ", 8)) {
            wanted = false;  // "tiled.cu: In function …"
        }
        if (wanted) {
            memcpy(text + used, shown, length);
            used += length;
        }
        shown += length;
    }
    text[used] = '\0';
    *ret_text = text;
    return STATUS_OK;
}

// Appends a line: the student's file by its name, other files without their folders.
static void line_show(FILE *out, const char *text, const char *kernel) {
    const char *exercise = kernel_exercise(kernel);
    bool quoted = text[0] == ' ' && !strstr(text, " from ");  // the student's own line
    const char *at = text;
    while (*at != '\0') {
        if (strncmp(at, BUILD_SOURCE, strlen(BUILD_SOURCE)) == 0) {
            (void)fprintf(out, "%s.cu", exercise);
            at += strlen(BUILD_SOURCE);
            continue;
        }
        bool starts = at == text || at[-1] == ' ' || at[-1] == '\'';
        if (!quoted && *at == '/' && starts) {
            size_t word = strcspn(at, " :'");
            while (word > 0 && at[word - 1] != '/') {
                word--;
            }
            at += word > 0 ? word : 1;
            continue;
        }
        (void)fputc(*at++, out);
    }
    (void)fputc('\n', out);
}

static bool any_error(const char *output) {
    struct message message;
    while (message_next(&output, &message)) {
        if (message.said) {
            return true;
        }
    }
    return false;
}

// Where messages are shown, and how many lines of them were and were not.
struct show {
    FILE *out;
    const char *kernel;
    bool errors_only;
    int lines, left_out;
};

// Shows the messages about a { that is not closed, or all others: the true cause goes first.
static void messages_show(struct show *show, const char *output, bool open_braces) {
    bool shown = !show->errors_only;  // whether lines that belong to the last message are shown
    bool wanted = !open_braces;
    struct message message;
    while (message_next(&output, &message)) {
        if (message.kind && strcmp(message.kind, "note") != 0) {
            wanted = is_open_brace(&message) == open_braces;
        }
        if (message.file[0] != '\0' && !is_submission(message.file) && !is_ours(message.file)) {
            shown = false;  // a file that has no business here: say nothing of what is in it
        } else if (message.kind && strcmp(message.kind, "note") != 0) {
            shown = !show->errors_only || message.said;
        } else if (message.text[0] != ' ' && !message.kind) {
            shown = true;  // "submission.cu: In function …", "In file included from …"
        }
        if (shown && wanted && show->lines < DIAGNOSTIC_LINES_MAX) {
            line_show(show->out, message.text, show->kernel);
            show->lines++;
        } else if (shown && wanted) {
            show->left_out++;
        }
    }
}

enum status diagnostics_show(const char *output, const char *kernel, char **ret_text,
                             struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the compiler's messages");
    }
    struct show show = {.out = out, .kernel = kernel, .errors_only = any_error(output)};
    messages_show(&show, output, true);
    messages_show(&show, output, false);
    if (show.left_out > 0) {
        (void)fprintf(out, "… and %d more lines\n", show.left_out);
    }
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return fail(err, STATUS_NO_MEMORY, "no memory for the compiler's messages");
    }
    text_clean(text);
    *ret_text = text;
    return STATUS_OK;
}

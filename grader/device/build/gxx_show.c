// The messages of g++ as a student reads them.
#include "base/compose.h"
#include "device/build/gxx_diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "device/build/gxx_message.h"
#include "device/build/kind.h"

// Of a file that compiles all warnings are read, and few are shown.
#define WARNING_LINES_MAX 4000

// True if a warning says that a variable has no value yet.
static bool is_uninitialized(const char *line, size_t length) {
    return memmem(line, length, ": warning: ", 11) &&
           (memmem(line, length, "[-Wuninitialized]", 17) ||
            memmem(line, length, "[-Wmaybe-uninitialized]", 23));
}

enum status diagnostics_uninitialized(const char *shown, char **ret_text, struct error *err) {
    char *text = malloc(strlen(shown) + 1);
    size_t used = 0;
    int lines = 0;
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
        if (wanted && lines++ < DIAGNOSTIC_LINES_MAX) {
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
        if (text_starts(at, BUILD_SOURCE)) {
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
    struct compiler_message message;
    while (compiler_message_next(&output, &message)) {
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
    int lines, lines_max, left_out;
};

// Shows the messages about a { that is not closed, or all others: the true cause goes first.
static void messages_show(struct show *show, const char *output, bool open_braces) {
    bool shown = !show->errors_only;  // whether lines that belong to the last message are shown
    bool wanted = !open_braces;
    bool in_shim = false;  // its lines are not quoted
    struct compiler_message message;
    while (compiler_message_next(&output, &message)) {
        if (message.kind && strcmp(message.kind, "note") != 0) {
            wanted = compiler_message_is_open_brace(&message) == open_braces;
        }
        if (message.file[0] != '\0' && !compiler_message_is_submission(message.file) &&
            !compiler_message_is_ours(message.file)) {
            shown = false;  // a file that must not be included: show nothing of its content
        } else if (message.kind && strcmp(message.kind, "warning") == 0 &&
                   compiler_message_is_ours(message.file)) {
            shown = false;  // as a shuffle of a variable that one lane alone has set
        } else if (message.kind && strcmp(message.kind, "note") != 0) {
            shown = !show->errors_only || message.said;
        } else if (message.text[0] != ' ' && !message.kind) {
            shown = true;  // "submission.cu: In function …", "In file included from …"
        }
        bool is_note = message.kind && strcmp(message.kind, "note") == 0;
        in_shim = message.kind ? compiler_message_is_shim(message.file) : in_shim;
        if (in_shim && (is_note || message.text[0] == ' ')) {
            continue;
        }
        compiler_message_plain(message.text);
        if (shown && wanted && show->lines < show->lines_max) {
            line_show(show->out, message.text, show->kernel);
            show->lines++;
        } else if (shown && wanted) {
            show->left_out++;
        }
    }
}

// After all that is foreign has been cleaned.
static enum status rest_tell(int left_out, char **text, struct error *err) {
    char more[80];
    size_t length = strlen(*text);
    words_write(more, sizeof more, "… and %d more lines\n", left_out);
    char *longer = realloc(*text, length + strlen(more) + 1);
    if (!longer) {
        free(*text);
        *text = NULL;
        return fail(err, STATUS_NO_MEMORY, "no memory for the compiler's messages");
    }
    memcpy(longer + length, more, strlen(more) + 1);
    *text = longer;
    return STATUS_OK;
}

enum status diagnostics_show(const char *output, const char *kernel, char **ret_text,
                             struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the compiler's messages");
    }
    bool errors = any_error(output);
    struct show show = {.out = out,
                        .kernel = kernel,
                        .errors_only = errors,
                        .lines_max = errors ? DIAGNOSTIC_LINES_MAX : WARNING_LINES_MAX};
    messages_show(&show, output, true);
    messages_show(&show, output, false);
    bool failed = ferror(out) != 0;
    if (!stream_close(out, &text) || failed) {
        free(text);
        return fail(err, STATUS_NO_MEMORY, "no memory for the compiler's messages");
    }
    text_clean(text);
    enum status status = show.left_out > 0 ? rest_tell(show.left_out, &text, err) : STATUS_OK;
    if (!status) {
        *ret_text = text;
    }
    return status;
}

// Idea: every line keeps its place, and what a pass adds hangs before it, so that passes do not see
// each other's work.
#include "device/assembly/rewrite.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "device/inspect/inspect.h"
#include "device/assembly/listing.h"

static bool starts(const struct rewrite_line *line, const char *prefix) {
    size_t count = strlen(prefix);
    return line->length >= count && memcmp(line->text, prefix, count) == 0;
}

// Labels that only debug information and unwinding use.  clang's `.LBB0_1` is no such label, gcc's
// `.LBB12` is.
static bool label_is_debug(const struct rewrite_line *line) {
    static const char *const prefixes[] = {".LVL", ".LBE", ".LBI", ".LFB", ".LFE", ".Ltmp", ".LM"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (starts(line, prefixes[i])) {
            return true;
        }
    }
    return starts(line, ".LBB") && !memchr(line->text, '_', line->length);
}

static enum rewrite_kind kind_of(const struct rewrite_line *line) {
    if (line->length == 0 || line->text[0] == '#') {
        return REWRITE_OTHER;
    }
    if (line->text[0] == '\t') {
        bool letter = line->length > 1 && isalpha((unsigned char)line->text[1]);
        return letter ? REWRITE_INSTRUCTION : REWRITE_OTHER;
    }
    bool label = memchr(line->text, ':', line->length) != NULL;
    return label && !label_is_debug(line) ? REWRITE_LABEL : REWRITE_OTHER;
}

// Where the lines of a text come from, while it is read.
struct reading {
    int file;         // the number of the student's file
    bool placed;      // the function's first `.loc` has been seen
    bool submission;  // it was in the student's file
    int source;
};

static void source_read(struct reading *reading, struct rewrite_line *line) {
    int file = 0;
    int source = 0;
    if (starts(line, "\t.type\t") && memmem(line->text, line->length, "function", 8)) {
        *reading = (struct reading){.file = reading->file};
    } else if (starts(line, "\t.loc") && sscanf(line->text, "\t.loc %d %d", &file, &source) == 2) {
        bool mine = file == reading->file && file > 0;
        reading->submission = reading->placed ? reading->submission : mine;
        reading->placed = true;
        reading->source = mine && source > 0 ? source : reading->source;
    }
    line->is_submission = reading->submission;
    line->source = reading->submission ? reading->source : 0;
}

enum status rewrite_open(char *text, struct rewrite *ret_rewrite, struct error *err) {
    struct reading reading = {.file = assembly_file(text)};
    size_t lines = 1;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    struct rewrite_line *line = calloc(lines, sizeof *line);
    if (!line) {
        free(text);
        return fail(err, STATUS_NO_MEMORY, "no memory for the lines of kernel.s");
    }
    size_t count = 0;
    for (const char *at = text; *at != '\0';) {
        struct rewrite_line *here = &line[count++];
        here->text = at;
        here->length = strcspn(at, "\n");
        here->kind = kind_of(here);
        source_read(&reading, here);
        at += here->length + (at[here->length] == '\n');
    }
    *ret_rewrite = (struct rewrite){.text = text, .line = line, .count = count};
    return STATUS_OK;
}

void rewrite_done(struct rewrite *rewrite) {
    for (size_t i = 0; i < rewrite->count; i++) {
        free(rewrite->line[i].before);
    }
    free(rewrite->line);
    free(rewrite->text);
    *rewrite = (struct rewrite){.text = NULL};
}

bool rewrite_is_known(const struct rewrite *rewrite) {
    // No other processor that this device runs on has this register.
    return strstr(rewrite->text, "%rsp") != NULL;
}

enum status rewrite_before(struct rewrite *rewrite, size_t at, struct error *err,
                           const char *format, ...) {
    char *added = NULL;
    char *whole = NULL;
    const char *earlier = rewrite->line[at].before;
    va_list arguments;
    va_start(arguments, format);
    int bytes = vasprintf(&added, format, arguments);
    va_end(arguments);
    if (bytes < 0) {
        return fail(err, STATUS_NO_MEMORY, "no memory for an instruction");
    }
    bytes = asprintf(&whole, "%s%s\n", earlier ? earlier : "", added);
    free(added);
    if (bytes < 0) {
        return fail(err, STATUS_NO_MEMORY, "no memory for an instruction");
    }
    free(rewrite->line[at].before);
    rewrite->line[at].before = whole;
    return STATUS_OK;
}

enum status rewrite_text(const struct rewrite *rewrite, char **ret_text, size_t *ret_bytes,
                         struct error *err) {
    size_t bytes = 1;
    for (size_t i = 0; i < rewrite->count; i++) {
        const struct rewrite_line *line = &rewrite->line[i];
        bytes += (line->before ? strlen(line->before) : 0) + line->length + 1;
    }
    char *text = malloc(bytes);
    if (!text) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the text of kernel.s");
    }
    char *end = text;
    for (size_t i = 0; i < rewrite->count; i++) {
        const struct rewrite_line *line = &rewrite->line[i];
        if (line->before) {
            end = stpcpy(end, line->before);
        }
        if (!line->is_dropped) {
            end = mempcpy(end, line->text, line->length);
            *end++ = '\n';
        }
    }
    *end = '\0';
    *ret_text = text;
    *ret_bytes = (size_t)(end - text);
    return STATUS_OK;
}

static void word_copy(const char *from, size_t length, char *ret_word, size_t bytes) {
    size_t count = length < bytes - 1 ? length : bytes - 1;
    memcpy(ret_word, from, count);
    ret_word[count] = '\0';
}

void rewrite_mnemonic(const struct rewrite_line *line, char *ret_name, size_t bytes) {
    ret_name[0] = '\0';
    if (line->kind == REWRITE_INSTRUCTION) {
        size_t length = 1;
        while (length < line->length && !isspace((unsigned char)line->text[length])) {
            length++;
        }
        word_copy(line->text + 1, length - 1, ret_name, bytes);
    }
}

void rewrite_callee(const struct rewrite_line *line, char *ret_name, size_t bytes) {
    ret_name[0] = '\0';
    if (!starts(line, "\tcall") && !starts(line, "\tjmp")) {
        return;
    }
    size_t at = 1;
    while (at < line->length && !isspace((unsigned char)line->text[at])) {
        at++;
    }
    while (at < line->length && isspace((unsigned char)line->text[at])) {
        at++;
    }
    size_t length = 0;
    while (at + length < line->length && (isalnum((unsigned char)line->text[at + length]) ||
                                          strchr("_.$", line->text[at + length]))) {
        length++;
    }
    if (length > 0 && line->text[at] != '.') {  // a jump inside the function
        word_copy(line->text + at, length, ret_name, bytes);
    }
}

enum status rewrite_kernel(int *ret_unseen, struct error *err) {
    struct rewrite rewrite = {.text = NULL};
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read("kernel.s", INSPECT_TEXT_MAX, &text, &bytes, err);
    if (status) {
        return status;
    }
    status = rewrite_open(text, &rewrite, err);
    if (status) {
        return status;
    }
    text = NULL;
    if (rewrite_is_known(&rewrite)) {
        status = rewrite_flops(&rewrite, err);
        if (!status) {
            status = rewrite_copies(&rewrite, err);
        }
        if (!status) {
            status = rewrite_guards(&rewrite, err);
        }
        if (!status) {
            status = rewrite_calls(&rewrite, err);
        }
        if (!status) {
            status = rewrite_text(&rewrite, &text, &bytes, err);
        }
        if (!status) {
            status = file_write("kernel.s", text, bytes, err);
        }
    }
    if (!status) {
        *ret_unseen = rewrite_is_known(&rewrite) ? -1 : rewrite_unseen_copy(&rewrite);
    }
    free(text);
    rewrite_done(&rewrite);
    return status;
}

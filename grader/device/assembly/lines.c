// Idea: every line keeps its place.  A pass adds lines before it, apart from the list, so that
// passes do not see each other's work.
#include "device/assembly/lines.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "device/assembly/listing.h"

// Labels that only debug information and unwinding use.  clang's `.LBB0_1` is no such label, gcc's
// `.LBB12` is.
static bool label_is_debug(const struct asm_line *line) {
    static const char *const prefixes[] = {".LVL", ".LBE", ".LBI", ".LFB", ".LFE", ".Ltmp", ".LM"};
    return text_starts_any(line->text, prefixes, COUNT(prefixes)) ||
           (text_starts(line->text, ".LBB") && !memchr(line->text, '_', line->length));
}

static enum line_kind kind_of(const struct asm_line *line) {
    if (line->length == 0 || line->text[0] == '#') {
        return LINE_OTHER;
    }
    if (line->text[0] == '\t') {
        bool letter = line->length > 1 && isalpha((unsigned char)line->text[1]);
        return letter ? LINE_INSTRUCTION : LINE_OTHER;
    }
    bool label = memchr(line->text, ':', line->length) != NULL;
    return label && !label_is_debug(line) ? LINE_LABEL : LINE_OTHER;
}

// Where the lines of a text come from, while it is read.
struct line_reading {
    int file;         // the number of the student's file
    bool placed;      // the function's first `.loc` has been seen
    bool submission;  // it was in the student's file
    int source;
};

static void source_read(struct line_reading *reading, struct asm_line *line) {
    int file = 0;
    int source = 0;
    if (text_starts(line->text, "\t.type\t") && memmem(line->text, line->length, "function", 8)) {
        *reading = (struct line_reading){.file = reading->file};
    } else if (assembly_loc(line->text, &file, &source)) {
        bool mine = file == reading->file && file > 0;
        reading->submission = reading->placed ? reading->submission : mine;
        reading->placed = true;
        reading->source = mine && source > 0 ? source : reading->source;
    }
    line->is_submission = reading->submission;
    line->source = reading->submission ? reading->source : 0;
}

enum status lines_open(char *text, struct asm_lines *ret_lines, struct error *err) {
    struct line_reading reading = {.file = assembly_file(text)};
    size_t lines = 1;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    struct asm_line *line = calloc(lines, sizeof *line);
    if (!line) {
        free(text);
        return fail(err, STATUS_NO_MEMORY, "no memory for the lines of kernel.s");
    }
    size_t count = 0;
    for (const char *at = text; *at != '\0';) {
        struct asm_line *here = &line[count++];
        here->text = at;
        here->length = strcspn(at, "\n");
        here->kind = kind_of(here);
        source_read(&reading, here);
        at += here->length + (at[here->length] == '\n');
    }
    *ret_lines = (struct asm_lines){.text = text, .line = line, .count = count};
    return STATUS_OK;
}

void lines_done(struct asm_lines *lines) {
    for (size_t i = 0; i < lines->count; i++) {
        free(lines->line[i].before);
    }
    free(lines->line);
    free(lines->text);
    *lines = (struct asm_lines){.text = NULL};
}

bool lines_are_known(const struct asm_lines *lines) {
    // No other processor that this device runs on has this register.
    return strstr(lines->text, "%rsp") != NULL;
}

enum status lines_add(struct asm_lines *lines, size_t at, struct error *err, const char *format,
                      ...) {
    char *added = NULL;
    char *whole = NULL;
    const char *earlier = lines->line[at].before;
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
    free(lines->line[at].before);
    lines->line[at].before = whole;
    return STATUS_OK;
}

enum status lines_text(const struct asm_lines *lines, char **ret_text, size_t *ret_bytes,
                       struct error *err) {
    size_t bytes = 1;
    for (size_t i = 0; i < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
        bytes += (line->before ? strlen(line->before) : 0) + line->length + 1;
    }
    char *text = malloc(bytes);
    if (!text) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the text of kernel.s");
    }
    char *end = text;
    for (size_t i = 0; i < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
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

void line_mnemonic(const struct asm_line *line, char *ret_name, size_t bytes) {
    ret_name[0] = '\0';
    if (line->kind == LINE_INSTRUCTION) {
        size_t length = 1;
        while (length < line->length && !isspace((unsigned char)line->text[length])) {
            length++;
        }
        word_copy(line->text + 1, length - 1, ret_name, bytes);
    }
}

int line_alignment(const struct asm_line *line, bool is_x86) {
    static const char *const names[] = {"\t.align", "\t.p2align"};
    for (size_t i = 0; i < COUNT(names); i++) {
        char *end = NULL;
        if (!text_starts(line->text, names[i])) {
            continue;
        }
        // Not by sscanf, which would first measure the rest of the text.
        unsigned long number = strtoul(line->text + strlen(names[i]), &end, 10);
        bool is_bytes = i == 0 && is_x86 && number > 0;
        unsigned long shift = is_bytes ? (unsigned long)__builtin_ctzl(number) : number;
        return *end == '\n' && shift < 64 ? (int)shift : -1;
    }
    return -1;
}

void line_callee(const struct asm_line *line, char *ret_name, size_t bytes) {
    ret_name[0] = '\0';
    if (!text_starts(line->text, "\tcall") && !text_starts(line->text, "\tjmp")) {
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

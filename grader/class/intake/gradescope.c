// A line's indentation says to what it belongs: libyaml, which Gradescope's exporter uses, indents
// the lines of a long text more than its key.
#include "class/intake/gradescope.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "exercise/assignment.h"

#define LINE_BYTES 1024

struct reading {
    const char *path;
    int line;
    bool begun;       // a record
    bool submitters;  // in the list of them
    size_t column;    // of the keys of a submitter
    struct gradescope_record record;
    void (*each)(void *context, const struct gradescope_record *record);
    void *context;
    struct error *err;
};

static enum status line_fail(const struct reading *reading) {
    return fail(
        reading->err, STATUS_BAD_DATA,
        "%s:%d: this line is not as Gradescope writes it; give each folder the student's id "
        "as its name, and use the layout 'folders'",
        reading->path, reading->line);
}

// Appends a character as UTF-8; false if it does not fit.
static bool character_put(char *text, size_t *used, unsigned long code) {
    char bytes[4];
    size_t count = 0;
    if (code < 0x80) {
        bytes[count++] = (char)code;
    } else if (code < 0x800) {
        bytes[count++] = (char)(0xc0 | code >> 6);
    } else if (code < 0x10000) {
        bytes[count++] = (char)(0xe0 | code >> 12);
        bytes[count++] = (char)(0x80 | (code >> 6 & 0x3f));
    } else {
        bytes[count++] = (char)(0xf0 | (code >> 18 & 7));
        bytes[count++] = (char)(0x80 | (code >> 12 & 0x3f));
        bytes[count++] = (char)(0x80 | (code >> 6 & 0x3f));
    }
    if (code >= 0x80) {
        bytes[count++] = (char)(0x80 | (code & 0x3f));
    }
    if (code == 0 || *used + count >= GRADESCOPE_TEXT_BYTES) {
        return false;
    }
    memcpy(text + *used, bytes, count);
    *used += count;
    return true;
}

// Takes what follows a backslash; NULL if it is none of those that are known.
static const char *escape_take(const char *at, unsigned long *ret_code) {
    static const char letters[] = "\"\\/nt";
    static const char meant[] = "\"\\/\n\t";
    const char *letter = *at != '\0' ? strchr(letters, *at) : NULL;
    size_t digits = *at == 'x' ? 2 : *at == 'u' ? 4 : *at == 'U' ? 8 : 0;
    char number[9] = "";
    if (letter) {
        *ret_code = (unsigned char)meant[letter - letters];
        return at + 1;
    }
    if (digits == 0 || strspn(at + 1, "0123456789abcdefABCDEF") < digits) {
        return NULL;
    }
    memcpy(number, at + 1, digits);
    *ret_code = strtoul(number, NULL, 16);
    return at + 1 + digits;
}

// A text in quotes, which ends the line.
static bool quoted_take(const char *at, char ret_text[GRADESCOPE_TEXT_BYTES]) {
    size_t used = 0;
    char quote = *at++;
    while (*at != '\0') {
        unsigned long code = (unsigned char)*at;
        if (*at == quote && (quote == '"' || at[1] != '\'')) {
            ret_text[used] = '\0';
            return at[1] == '\0';
        }
        if (*at == '\\' && quote == '"') {
            at = escape_take(at + 1, &code);
            if (!at || !character_put(ret_text, &used, code)) {
                return false;
            }
            continue;
        }
        at += *at == quote ? 2 : 1;
        if (used + 1 >= GRADESCOPE_TEXT_BYTES) {
            return false;
        }
        ret_text[used++] = (char)code;
    }
    return false;
}

// "null" and nothing are "".
static bool scalar_take(const char *at, char ret_text[GRADESCOPE_TEXT_BYTES]) {
    ret_text[0] = '\0';
    if (*at == '"' || *at == '\'') {
        return quoted_take(at, ret_text);
    }
    if (*at != '\0' && strchr("|>!&*[{@`%#", *at)) {
        return false;
    }
    if (strcmp(at, "null") != 0 && strcmp(at, "~") != 0) {
        if (strlen(at) >= GRADESCOPE_TEXT_BYTES || strstr(at, " #") || strstr(at, ": ")) {
            return false;
        }
        (void)snprintf(ret_text, GRADESCOPE_TEXT_BYTES, "%s", at);
    }
    return true;
}

// The value of "KEY: value" or "KEY:"; NULL if the line has another key.
static const char *value_of(const char *line, const char *key) {
    size_t bytes = strlen(key);
    if (strncmp(line, key, bytes) != 0 || line[bytes] != ':') {
        return NULL;
    }
    const char *value = line + bytes + 1;
    return *value == '\0' || *value == ' ' ? value + strspn(value, " ") : NULL;
}

static void record_end(struct reading *reading) {
    if (reading->begun) {
        reading->each(reading->context, &reading->record);
    }
}

// "submission_123:" at the left margin.
static enum status record_begin(struct reading *reading, char *line) {
    size_t bytes = strlen(line);
    if (strcmp(line, "---") == 0) {
        return STATUS_OK;
    }
    record_end(reading);
    reading->begun = true;
    reading->submitters = false;
    reading->record.line = reading->line;
    reading->record.created_at = MOMENT_NONE;
    reading->record.submitter_count = 0;
    if (bytes < 2 || line[bytes - 1] != ':') {
        return line_fail(reading);
    }
    line[bytes - 1] = '\0';
    return scalar_take(line, reading->record.folder) ? STATUS_OK : line_fail(reading);
}

// Gradescope writes "2026-11-30 22:10:00.000000000 Z" or "… +01:00".
static enum status time_take(struct reading *reading, const char *value) {
    char text[GRADESCOPE_TEXT_BYTES];
    if (!scalar_take(value, text)) {
        return line_fail(reading);
    }
    char *blank = strchr(text, ' ');
    if (blank) {
        *blank = 'T';
        blank = strchr(blank, ' ');
    }
    if (blank) {
        memmove(blank, blank + 1, strlen(blank));
    }
    return text[0] == '\0' || moment_parse(text, &reading->record.created_at) ? STATUS_OK
                                                                              : line_fail(reading);
}

// A key of a record, two columns in.
static enum status key_take(struct reading *reading, const char *line) {
    const char *value = NULL;
    reading->submitters = false;
    if ((value = value_of(line, ":submitters")) != NULL) {
        reading->submitters = *value == '\0';
        return *value == '\0' || strcmp(value, "[]") == 0 ? STATUS_OK : line_fail(reading);
    }
    if ((value = value_of(line, ":created_at")) != NULL) {
        return time_take(reading, value);
    }
    return STATUS_OK;
}

static enum status submitter_take(struct reading *reading, const char *line) {
    static const char *const keys[SUBMITTER_TEXTS] = {":name", ":sid", ":email"};
    struct gradescope_record *record = &reading->record;
    for (int i = 0; i < SUBMITTER_TEXTS; i++) {
        const char *value = value_of(line, keys[i]);
        if (value && !scalar_take(value, record->submitter[record->submitter_count - 1][i])) {
            return line_fail(reading);
        }
    }
    return STATUS_OK;
}

// A line that is not at the left margin; `indent` is its indentation.
static enum status line_take(struct reading *reading, const char *line, size_t indent) {
    bool dash = text_starts(line, "- ");
    if (!reading->begun) {
        return line_fail(reading);
    }
    if (indent == 2 && !dash) {
        return key_take(reading, line);
    }
    if (reading->submitters && dash && (indent == 2 || indent == 4)) {
        struct gradescope_record *record = &reading->record;
        if (record->submitter_count == GRADESCOPE_SUBMITTERS_MAX) {
            return line_fail(reading);
        }
        memset(record->submitter[record->submitter_count++], 0, sizeof record->submitter[0]);
        reading->column = indent + 2;
        return submitter_take(reading, line + 2);
    }
    bool key = reading->submitters && indent == reading->column && !dash;
    return key && reading->record.submitter_count > 0 ? submitter_take(reading, line) : STATUS_OK;
}

enum status gradescope_read(const char *path, const char *text,
                            void (*each)(void *context, const struct gradescope_record *record),
                            void *context, struct error *err) {
    struct reading *reading = calloc(1, sizeof *reading);
    if (!reading) {
        return fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    }
    *reading = (struct reading){.path = path, .each = each, .context = context, .err = err};
    enum status status = STATUS_OK;
    const char *line = NULL;
    size_t bytes = 0;
    while (!status && (line = text_line(&text, &bytes)) != NULL) {
        char copy[LINE_BYTES];
        size_t indent = strspn(line, " ");
        reading->line++;
        while (bytes > 0 && strchr(" \r", line[bytes - 1])) {
            bytes--;
        }
        if (bytes <= indent) {
            continue;
        }
        // A longer line is part of a text that is stepped over, or fails for want of its end.
        (void)snprintf(copy, sizeof copy, "%.*s", (int)(bytes - indent), line + indent);
        status = indent == 0 ? record_begin(reading, copy) : line_take(reading, copy, indent);
    }
    if (!status) {
        record_end(reading);
    }
    free(reading);
    return status;
}

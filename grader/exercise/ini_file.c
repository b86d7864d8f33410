// Every line is checked before inih sees it, for mistakes that inih would silently accept: comments
// after a value, continuation lines, unknown sections, lines that are too long.
#include "exercise/ini_file.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>

#include "base/file.h"
#include "base/text.h"
#include "base/words.h"

#define INI_BYTES_MAX (64 << 10)

int ini_fail(struct ini *ini, const char *format, ...) {
    if (!ini->status) {
        char text[ERROR_TEXT_MAX / 2];
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(text, sizeof text, text_of(format), arguments);
        va_end(arguments);
        ini->status = fail(ini->err, STATUS_BAD_DATA, "%s:%d: %s", ini->path, ini->line, text);
    }
    return 0;
}

int ini_number(struct ini *ini, const char *name, const char *text, long min, long max,
               long *ret_number) {
    char *end = NULL;
    long number = isdigit((unsigned char)text[0]) ? strtol(text, &end, 10) : min - 1;
    if (!end || *end != '\0' || number < min || number > max) {
        return ini_fail(ini, "bad %s '%s': write a whole number from %ld to %ld", name, text, min,
                        max);
    }
    *ret_number = number;
    return 1;
}

int ini_title(struct ini *ini, const char *text, char ret_title[TITLE_BYTES_MAX]) {
    size_t length = strlen(text);
    if (length == 0 || length >= TITLE_BYTES_MAX) {
        return ini_fail(ini, "the title must have 1 to %d bytes", TITLE_BYTES_MAX - 1);
    }
    memcpy(ret_title, text, length + 1);
    return 1;
}

int ini_word(struct ini *ini, const char *name, const char *text, const char *const *words,
             int count, int *ret_place) {
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *ret_place = i;
            return 1;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, " %s", words[i]);
    }
    return ini_fail(ini, "bad %s '%s' (it can be:%s)", name, text, list);
}

int ini_key(struct ini *ini, const char *name, const char *const *keys, int count, bool *seen,
            int *ret_key) {
    for (int i = 0; i < count; i++) {
        if (strcmp(keys[i], name) == 0) {
            bool is_first = !seen[i];
            seen[i] = true;
            *ret_key = i;
            return is_first ? 1 : ini_fail(ini, "duplicate key '%s'", name);
        }
    }
    return ini_fail(ini, "unknown key '%s'", name);
}

bool ini_name_good(const char *name) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && length < NAME_BYTES_MAX && name[length] == '\0' &&
           !isdigit((unsigned char)name[0]);
}

static bool section_known(const struct ini *ini, const char *line, size_t length) {
    size_t bytes = 0;
    for (const char *at = ini->sections; *at != '\0'; at += bytes + (at[bytes] == ' ')) {
        bytes = strcspn(at, " ");
        if (bytes == length && memcmp(at, line, length) == 0) {
            return true;
        }
    }
    return false;
}

// Checks one raw line of `length` bytes, without its line end.
static bool line_check(struct ini *ini, const char *line, size_t length, size_t length_max) {
    while (length > 0 && isspace((unsigned char)line[length - 1])) {
        length--;
    }
    if (length > length_max) {
        return ini_fail(ini, "the line has more than %zu characters", length_max);
    }
    if (length == 0 || line[0] == ';' || line[0] == '#') {
        return true;
    }
    if (isspace((unsigned char)line[0])) {
        return ini_fail(ini, "a line must not begin with a blank");
    }
    if (line[0] == '[' && !section_known(ini, line, length)) {
        return ini_fail(ini, "unknown section '%.*s' (the sections are: %s)", (int)length, line,
                        ini->sections);
    }
    if (line[0] != '[' && !memchr(line, '=', length) && !memchr(line, ':', length)) {
        return ini_fail(ini, "expected `name = value`");  // inih goes on, and a later line fails
    }
    for (size_t i = 1; i < length; i++) {
        if ((line[i] == ';' || line[i] == '#') && isspace((unsigned char)line[i - 1])) {
            return ini_fail(ini, "a comment must be on a line of its own");
        }
    }
    return true;
}

// Gives inih the next line, like fgets.  NULL at the end and after an error.
static char *line_next(char *buffer, int buffer_bytes, void *context) {
    struct ini *ini = context;
    if (ini->status || *ini->at == '\0') {
        return NULL;
    }
    ini->line++;
    const char *end = strchr(ini->at, '\n');
    size_t length = end ? (size_t)(end - ini->at) : strlen(ini->at);
    if (!line_check(ini, ini->at, length, (size_t)buffer_bytes - 3)) {
        return NULL;
    }
    while (length > 0 && isspace((unsigned char)ini->at[length - 1])) {
        length--;
    }
    memcpy(buffer, ini->at, length);
    memcpy(buffer + length, "\n", 2);
    ini->at = end ? end + 1 : ini->at + strlen(ini->at);
    return buffer;
}

// The function that inih calls for each pair.
struct receiver {
    struct ini *ini;
    ini_pair *pair;
    void *context;
};

static int pair_pass(void *context, const char *section, const char *name, const char *value) {
    const struct receiver *receiver = context;
    return receiver->ini->status ? 0 : receiver->pair(receiver->context, section, name, value);
}

enum status ini_read(struct ini *ini, ini_pair *pair, void *context) {
    char *text = NULL;
    size_t bytes = 0;
    enum status status = file_read(ini->path, INI_BYTES_MAX, &text, &bytes, ini->err);
    if (status) {
        return status;
    }
    if (strlen(text) != bytes) {
        free(text);
        return fail(ini->err, STATUS_BAD_DATA, "%s: contains a NUL byte, so it is not a text file",
                    ini->path);
    }
    struct receiver receiver = {ini, pair, context};
    ini->at = text;
    int bad_line = ini_parse_stream(line_next, ini, pair_pass, &receiver);
    if (!ini->status && bad_line != 0) {
        ini->line = bad_line > 0 ? bad_line : ini->line;
        (void)ini_fail(ini, "expected `name = value`");
    }
    ini->at = NULL;
    free(text);
    return ini->status;
}

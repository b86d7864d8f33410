// The lines of an exercise.ini on their way to inih.  Every line is checked first for what inih
// would silently accept: comments after a value, continuation lines, unknown sections, lines
// that are too long.
#include "base/array.h"
#include "base/text.h"
#include "base/translate.h"
#include "exercise/reading.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int reading_fail(struct reading *reading, const char *format, ...) {
    if (!reading->status) {
        char text[ERROR_TEXT_MAX / 2];
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(text, sizeof text, text_of(format), arguments);
        va_end(arguments);
        reading->status =
            fail(reading->err, STATUS_BAD_DATA, "%s:%d: %s", reading->path, reading->line, text);
    }
    return 0;
}

static bool section_known(const char *line, size_t length) {
    static const char *const headers[] = {"[cases]", "[timed]", "[counted]"};
    for (size_t i = 0; i < COUNT(headers); i++) {
        if (text_is(line, length, headers[i])) {
            return true;
        }
    }
    return false;
}

// Checks one raw line of `length` bytes, without its line end.
static bool line_check(struct reading *reading, const char *line, size_t length,
                       size_t length_max) {
    while (length > 0 && isspace((unsigned char)line[length - 1])) {
        length--;
    }
    if (length > length_max) {
        return reading_fail(reading, "the line has more than %zu characters", length_max);
    }
    if (length == 0 || line[0] == ';' || line[0] == '#') {
        return true;
    }
    if (isspace((unsigned char)line[0])) {
        return reading_fail(reading, "a line must not begin with a blank");
    }
    if (line[0] == '[' && !section_known(line, length)) {
        return reading_fail(reading, "unknown section '%.*s': write [cases], [timed] or [counted]",
                            (int)length, line);
    }
    for (size_t i = 1; i < length; i++) {
        if ((line[i] == ';' || line[i] == '#') && isspace((unsigned char)line[i - 1])) {
            return reading_fail(reading, "a comment must be on a line of its own");
        }
    }
    return true;
}

// inih asks for the next line, in the manner of fgets.
char *reading_line(char *buffer, int buffer_bytes, void *context) {
    struct reading *reading = context;
    if (reading->status || *reading->at == '\0') {
        return NULL;
    }
    reading->line++;
    const char *end = strchr(reading->at, '\n');
    size_t length = end ? (size_t)(end - reading->at) : strlen(reading->at);
    if (!line_check(reading, reading->at, length, (size_t)buffer_bytes - 3)) {
        return NULL;
    }
    while (length > 0 && isspace((unsigned char)reading->at[length - 1])) {
        length--;
    }
    memcpy(buffer, reading->at, length);
    memcpy(buffer + length, "\n", 2);
    reading->at = end ? end + 1 : reading->at + strlen(reading->at);
    return buffer;
}

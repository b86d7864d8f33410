// A line is measured in columns and cut in bytes: a character may have several bytes, and a colour
// has no columns.
#include "app/watch/fold.h"

#include <stdio.h>
#include <string.h>

#include "app/terminal/parts.h"
#include "base/file.h"
#include "base/utf8.h"

// A character or a colour.
struct unit {
    size_t bytes;
    int columns;
    bool drawn;  // false: an escape character that begins no colour
};

static struct unit unit_of(const char *at) {
    struct unit unit = {.bytes = 1, .drawn = true};
    if (at[0] == '\033') {
        size_t digits = at[1] == '[' ? strspn(at + 2, "0123456789;") : 0;
        unit.drawn = digits > 0 && at[2 + digits] == 'm';
        unit.bytes = unit.drawn ? digits + 3 : 1;
    } else {
        (void)utf8_read(at, &unit.bytes);
        unit.columns = terminal_columns(at, unit.bytes);
    }
    return unit;
}

// The column at which the rest of a line goes on: that of the text after the last gap of two or
// more blanks, as in a table, or else that of the first text.
static int hang_of(const char *line, size_t length, int columns) {
    int hang = 0;
    int column = 0;
    int blanks = 2;  // an indentation is a gap of any width
    for (size_t at = 0; at < length && column <= columns * 2 / 3;) {
        struct unit unit = unit_of(line + at);
        if (line[at] == ' ') {
            blanks++;
        } else if (unit.columns > 0) {
            hang = blanks >= 2 ? column : hang;
            blanks = 0;
        }
        column += unit.columns;
        at += unit.bytes;
    }
    return hang;
}

// The bytes of a line that fit.
static size_t cut_of(const char *line, size_t length, int columns) {
    for (size_t at = 0; at < length;) {
        struct unit unit = unit_of(line + at);
        columns -= unit.columns;
        if (columns < 0) {
            return at;
        }
        at += unit.bytes;
    }
    return length;
}

// The same up to a blank, unless that would leave half of the room empty.
static size_t fit_of(const char *line, size_t length, int columns) {
    size_t cut = cut_of(line, length, columns);
    size_t blank = cut;
    while (cut < length && blank > cut / 2 && line[blank] != ' ') {
        blank--;
    }
    return blank > cut / 2 ? blank : cut;
}

static void units_write(FILE *out, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        struct unit unit = unit_of(text + at);
        if (unit.drawn) {
            (void)fwrite(text + at, 1, unit.bytes, out);
        }
        at += unit.bytes;
    }
}

// Code that is quoted by a compiler, with marks in the line after it: it is cut instead.
static bool is_quoted(const char *line) {
    line += strspn(line, " ");
    return strncmp(line, FOREIGN_MARK, strlen(FOREIGN_MARK)) == 0;
}

static void line_fold(FILE *out, const char *line, size_t length, int columns) {
    if (is_quoted(line)) {
        units_write(out, line, cut_of(line, length, columns));
        (void)fputc('\n', out);
        return;
    }
    int hang = hang_of(line, length, columns);
    size_t fit = fit_of(line, length, columns);
    size_t next = fit + strspn(line + fit, " ");
    while (fit > 0 && next < length) {
        units_write(out, line, fit);
        (void)fprintf(out, "\n%*s", hang, "");
        line += next;
        length -= next;
        fit = fit_of(line, length, columns - hang);
        next = fit + strspn(line + fit, " ");
    }
    units_write(out, line, fit > 0 ? fit : length);
    (void)fputc('\n', out);
}

char *folded(const char *text, int columns) {
    char *lines = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&lines, &bytes);
    if (!out) {
        return NULL;
    }
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        line_fold(out, text, length, columns);
        text += length + (text[length] == '\n');
    }
    return stream_close(out, &lines) ? lines : NULL;
}

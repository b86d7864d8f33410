// A table of text with comma-separated values, as spreadsheets and learning platforms write it.
// Source: RFC 4180, and what spreadsheets do besides: `;` or tabs, a byte order mark, blank lines.
#ifndef CLASS_INTAKE_CSV_H
#define CLASS_INTAKE_CSV_H

#include <stddef.h>

#include "base/error.h"

#define CSV_ROWS_MAX    20000
#define CSV_COLUMNS_MAX 1000

struct csv_row {
    int line;  // of the file, from 1, where the row begins
    int count;
    const char **cell;  // borrowed
};

struct csv {
    int row_count;  // the first is the header; rows without any text are left out
    struct csv_row *row;
    const char **cells;  // of all rows
    char *text;
};

// Reads the file `path`.  Cells lose the blanks around them, unless they are quoted.
//
// Errors   STATUS_BAD_DATA "roster.csv:12: …": not UTF-8, a quote that is never closed, text after
//          a closing quote, too large.  Those of file_read.
// Owns     the caller frees with csv_done.
enum status csv_read(const char *path, struct csv *ret_csv, struct error *err);

// The same from a text of `bytes` bytes that ends in NUL, which is taken over, also on failure.
enum status csv_parse(const char *path, char *text, size_t bytes, struct csv *ret_csv,
                      struct error *err);
void csv_done(struct csv *csv);

// The text of a cell; "" if the row is shorter.
const char *csv_cell(const struct csv_row *row, int column);

#endif

// The file that was submitted for one exercise, read with care: its name and bytes come from
// outside.
#ifndef JUDGE_SOURCE_SUBMITTED_H
#define JUDGE_SOURCE_SUBMITTED_H

#include <stddef.h>

#include "base/error.h"
#include "judge/model/verdict.h"

struct submitted {
    enum verdict verdict;           // PASS: there is something to look at
    char headline[ERROR_TEXT_MAX];  // what is wrong, if verdict is not PASS
    char sha256[65];                // hash of the bytes as submitted; "" if there is no file
    char *text;                     // as submitted, but with a compiler's line ends; NULL: no file
    size_t bytes;
    bool absent;  // nothing has that name or nearly that name
};

// Reads the file in `folder`, which is open: a regular file of at most SOURCE_BYTES_MAX bytes.
// Follows no link and waits for no pipe.
//
// Returns  STATUS_OK even for a file that is missing, too large or not a regular file: that is a
// verdict.
// Errors   STATUS_SYSTEM: it is there and cannot be read (permission, disk).  STATUS_NO_MEMORY.
// Owns     the caller frees with submitted_done.
enum status submitted_read(int folder, const char *file, struct submitted *ret_source,
                           struct error *err);
void submitted_done(struct submitted *source);

// The text to be shown: no byte order mark, no carriage returns; every other byte stays, so that
// columns stay correct.  Errors: STATUS_NO_MEMORY.  Owns: the caller frees *ret_text, which is NULL
// if there is no text or too much of it.
enum status submitted_show(const struct submitted *source, char **ret_text, struct error *err);

// Writes the text of line `line` (from 1) without blanks around it, with control characters as '?',
// cut at bytes - 1; "" if there is no such line.
void submitted_line(const char *text, size_t text_bytes, unsigned line, char *ret_line,
                    size_t bytes);

// The bytes of blanks before the text of that line, so that a column of the file can be found in
// it.
unsigned submitted_indent(const char *text, size_t text_bytes, unsigned line);

#endif

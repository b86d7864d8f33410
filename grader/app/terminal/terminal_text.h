// The pieces of the blocks in terminal.c.  Internal to this folder.
#ifndef APP_TERMINAL_TERMINAL_TEXT_H
#define APP_TERMINAL_TERMINAL_TEXT_H

#include "app/terminal/terminal.h"
#include "exercise/exercise.h"

#define TEXT_BYTES_MAX 4096  // of one piece of text, with the final NUL

#define LABEL_COLUMNS 7  // of "again", "where"

// The width at which text is wrapped.
int terminal_columns_of(const struct terminal *terminal);

// Columns of UTF-8 text: two for a Chinese character, one for most others.
int terminal_columns(const char *text, size_t bytes);

// Bytes of the text that must stay on one line: a word of letters, or a Chinese character with the
// punctuation that may not start a line.  0 at a blank or an end.
size_t terminal_word(const char *text);

// Bytes of the longest prefix of text that takes at most this many columns.
size_t terminal_cut(const char *text, int columns);

// Writes clean text, padded with blanks to this many columns, after or before the text.
void terminal_left(const struct terminal *terminal, const char *text, int columns);
void terminal_right(const struct terminal *terminal, const char *text, int columns);

// "  read    "
void terminal_label_begin(const struct terminal *terminal, const char *label);

// "  again   make test EX=tiled"
void terminal_label(const struct terminal *terminal, const char *label, const char *text);

// "  read    lessons/verdicts.md#race", or the page in the chosen language.
void terminal_read(const struct terminal *terminal, const char *page);

// Every case, by verdict.
void terminal_cases(const struct terminal *terminal, const struct exercise_result *result);

// The errors among the findings, except the one already shown.
void terminal_other_findings(const struct terminal *terminal, const struct exercise_result *result,
                             const struct judged_finding *told);

// All counted work of a size, next to the reference's.
void terminal_work(const struct terminal *terminal, const struct speed_result *speed);

#endif

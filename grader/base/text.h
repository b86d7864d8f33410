// Plain text: letters of words, whole words, lines.
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// Bytes of a text, borrowed.  A final NUL, which is not counted, follows them.
struct text {
    const char *at;
    size_t bytes;
};

// A letter of a word as compilers take it: ASCII letters and digits, _, $, and every byte of a
// character that is not ASCII.
bool text_is_word(char letter);

bool text_starts(const char *text, const char *start);
bool text_starts_any(const char *text, const char *const *starts, size_t count);

// True if the `bytes` bytes at `at` are that word.
bool text_is(const char *at, size_t bytes, const char *word);

// The next line of *rest, which moves past it; *ret_bytes excludes the line end.  NULL at the end.
const char *text_line(const char **rest, size_t *ret_bytes);

// The number of the line, from 1, that holds the byte at `offset`.
int text_line_number(const char *text, size_t offset);

// The first line, from 1, that holds `word` as a whole word; 0 if none does.
int text_word_line(const char *text, const char *word);

#endif

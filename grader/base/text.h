// Text in UTF-8: characters, cuts, and what may be shown; letters of words, whole words, lines.
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_BAD 0xfffdu  // in place of a byte that begins no well-formed character

// The character at `at`, in a text that ends in NUL, and its bytes: 1 for UTF8_BAD.
// Source: the table of well-formed byte sequences of the Unicode Standard (D92).
uint32_t utf8_read(const char *at, size_t *ret_bytes);

// Makes foreign text fit for terminals and JSON, in place: each malformed byte and each character
// that cannot be seen, or that changes how others are shown, becomes one '?'; tabs become spaces;
// line ends stay.
void text_clean(char *text);

// The length of the longest prefix of at most bytes_max bytes that cuts no character: for "%.*s".
int text_cut(const char *text, size_t bytes_max);

// Removes a partial character from the end of a text that was cut.
void text_end(char *text);

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

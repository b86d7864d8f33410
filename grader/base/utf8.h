// Text in UTF-8: characters, cuts, and what may be shown.
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

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

#endif

// Text that students or compilers wrote must break neither a terminal nor JSON.
#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

static size_t bytes_of(unsigned char lead) {
    return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
}

static bool is_tail(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

uint32_t utf8_read(const char *at, size_t *ret_bytes) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // shorter forms hold the rest
    unsigned char lead = (unsigned char)*at;
    size_t bytes = bytes_of(lead);
    uint32_t character = lead & (0xffu >> (bytes > 1 ? bytes : 0));
    bool good = bytes > 1 || lead < 0x80;
    for (size_t i = 1; i < bytes && good; i++) {
        good = is_tail(at[i]);  // NUL is not a tail byte, so this never reads past the end
        character = character << 6 | ((unsigned char)at[i] & 0x3f);
    }
    bool surrogate = character >= 0xd800 && character <= 0xdfff;
    good = good && character >= least[bytes] && character <= 0x10ffff && !surrogate;
    *ret_bytes = good ? bytes : 1;
    return good ? character : UTF8_BAD;
}

// Control characters, and characters that end a line or change its direction, with which the text
// shown would differ from the text in memory.
static bool is_hidden(uint32_t character) {
    return character < 0x20 || (character >= 0x7f && character < 0xa0) || character == 0x200e ||
           character == 0x200f || (character >= 0x2028 && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

void text_clean(char *text) {
    size_t bytes = 0;
    for (char *at = text; *at != '\0'; at += bytes) {
        uint32_t character = utf8_read(at, &bytes);
        bool bad = character == UTF8_BAD && bytes == 1;
        if (*at == '\t') {
            *at = ' ';
        } else if (*at != '\n' && (bad || is_hidden(character))) {
            *at = '?';
            bytes = 1;
        }
    }
}

int text_cut(const char *text, size_t bytes_max) {
    size_t bytes = strnlen(text, bytes_max + 1);
    if (bytes > bytes_max) {
        bytes = bytes_max;
        while (bytes > 0 && is_tail(text[bytes])) {
            bytes--;
        }
    }
    return (int)bytes;
}

void text_end(char *text) {
    size_t length = strlen(text);
    size_t tail = 0;
    while (tail < 3 && tail < length && is_tail(text[length - 1 - tail])) {
        tail++;
    }
    if (tail < length && bytes_of((unsigned char)text[length - 1 - tail]) > tail + 1) {
        text[length - 1 - tail] = '\0';
    }
}

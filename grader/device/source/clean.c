// Text that students or compilers wrote goes into terminals and JSON, and must not break either.
#include "device/source/clean.h"

#include <stdbool.h>
#include <stddef.h>

static bool is_tail(unsigned char byte) {
    return (byte & 0xc0) == 0x80;
}

// U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069: they end lines, or turn them around, so that
// what is shown is not what is there.
static bool is_turning(const unsigned char *at) {
    if (at[0] != 0xe2) {
        return false;
    }
    return (at[1] == 0x80 &&
            (at[2] == 0x8e || at[2] == 0x8f || (at[2] >= 0xa8 && at[2] <= 0xae))) ||
           (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9);
}

// Bytes of the character at `at`, which is not ASCII; 0 where it is not well-formed, or none to be
// shown.
static size_t character_bytes(const unsigned char *at) {
    unsigned char lead = at[0];
    if (lead >= 0xc2 && lead <= 0xdf) {
        // U+0080 to U+009F are control characters too.
        return is_tail(at[1]) && !(lead == 0xc2 && at[1] < 0xa0) ? 2 : 0;
    }
    if (lead >= 0xe0 && lead <= 0xef) {
        bool overlong = lead == 0xe0 && at[1] < 0xa0;
        bool surrogate = lead == 0xed && at[1] > 0x9f;
        bool whole = is_tail(at[1]) && !overlong && !surrogate && is_tail(at[2]);
        return whole && !is_turning(at) ? 3 : 0;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        bool overlong = lead == 0xf0 && at[1] < 0x90;
        bool too_large = lead == 0xf4 && at[1] > 0x8f;
        return is_tail(at[1]) && !overlong && !too_large && is_tail(at[2]) && is_tail(at[3]) ? 4
                                                                                             : 0;
    }
    return 0;
}

void text_clean(char *text) {
    unsigned char *at = (unsigned char *)text;
    while (*at != '\0') {
        if (*at < 0x80) {
            if (*at == '\t') {
                *at = ' ';
            } else if ((*at < 0x20 && *at != '\n') || *at == 0x7f) {
                *at = '?';
            }
            at++;
            continue;
        }
        size_t bytes = character_bytes(at);  // a NUL is no tail, so this never reads past the end
        if (bytes == 0) {
            *at = '?';
            bytes = 1;
        }
        at += bytes;
    }
}

// Cleans texts: compilers quote bytes of submissions, and a submission may hold anything.
#include "judge/result_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Bytes of the well-formed UTF-8 sequence at the start, 0 where there is none.
// Source: Unicode Standard, table 3-7.
static size_t sequence_bytes(const unsigned char *at) {
    static const struct {
        unsigned char first_low, first_high, second_low, second_high;
        size_t bytes;
    } rows[] = {
        {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (at[0] < rows[i].first_low || at[0] > rows[i].first_high) {
            continue;
        }
        if (at[1] < rows[i].second_low || at[1] > rows[i].second_high) {
            return 0;
        }
        // The NUL at the end is no continuation byte, so this never reads past it.
        for (size_t j = 2; j < rows[i].bytes; j++) {
            if (at[j] < 0x80 || at[j] > 0xbf) {
                return 0;
            }
        }
        return rows[i].bytes;
    }
    return 0;
}

char *result_text_clean(const char *text) {
    size_t bytes = strlen(text);
    char *clean = malloc(bytes + 1);
    if (!clean) {
        return NULL;
    }
    size_t used = 0;
    for (size_t i = 0; i < bytes;) {
        const unsigned char *at = (const unsigned char *)text + i;
        size_t length = *at < 0x80 ? 0 : sequence_bytes(at);
        // U+0080 to U+009F are control characters too.
        if (length == 2 && at[0] == 0xc2 && at[1] < 0xa0) {
            clean[used++] = '?';
            i += 2;
        } else if (length > 0) {
            memcpy(clean + used, at, length);
            used += length;
            i += length;
        } else {
            char byte = (char)*at;
            if (byte == '\t') {
                byte = ' ';
            } else if (byte != '\n' && (*at < 0x20 || *at >= 0x7f)) {
                byte = '?';
            }
            clean[used++] = byte;
            i++;
        }
    }
    clean[used] = '\0';
    return clean;
}

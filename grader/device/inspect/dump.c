// Idea: a place stands before each name and statement; without them a line is what gcc would write
// without -lineno.
#include "device/inspect/dump.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

// The bytes of "[kernel.cu:26:35] " at `at`, and its line; 0 if there is no such place.
static size_t place_at(const char *at, const char *end, int *ret_line) {
    const char *close = *at == '[' ? memchr(at, ']', (size_t)(end - at)) : NULL;
    const char *colon = close ? memchr(at, ':', (size_t)(close - at)) : NULL;
    if (!colon || close + 1 >= end || close[1] != ' ') {
        return 0;
    }
    *ret_line = (int)strtol(colon + 1, NULL, 10);
    return (size_t)(close + 2 - at);
}

bool dump_line(const char **at, char line[DUMP_LINE_BYTES], int *ret_source) {
    size_t length = 0;
    size_t bytes = 0;
    const char *from = text_line(at, &length);
    const char *end = from ? from + length : NULL;
    *ret_source = 0;
    while (from < end && bytes < DUMP_LINE_BYTES - 1) {
        int source = 0;
        size_t place = place_at(from, end, &source);
        *ret_source = *ret_source == 0 ? source : *ret_source;
        if (place == 0) {
            line[bytes++] = *from++;
        }
        from += place;
    }
    line[bytes] = '\0';
    return from != NULL;
}

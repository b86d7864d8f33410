// How much room text takes on a terminal, and where it may be broken.  wcwidth knows only the C
// locale here, so this file lists the wide characters.
#include <stdint.h>
#include <string.h>

#include "app/terminal/parts.h"
#include "base/array.h"
#include "base/utf8.h"

// Source: East Asian Width of the Unicode Standard (UAX #11), W and F, in whole blocks.
static const struct {
    uint32_t first, last;
} wide[] = {
    {0x1100, 0x115f}, {0x2e80, 0x303e},   {0x3041, 0x4dbf},   {0x4e00, 0xa4cf},
    {0xac00, 0xd7a3}, {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
    {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

static int columns_of(uint32_t character) {
    for (size_t i = 0; i < COUNT(wide); i++) {
        if (character >= wide[i].first && character <= wide[i].last) {
            return 2;
        }
    }
    return 1;
}

int terminal_columns(const char *text, size_t bytes) {
    int columns = 0;
    size_t step = 0;
    for (size_t i = 0; i < bytes; i += step) {
        columns += columns_of(utf8_read(text + i, &step));
    }
    return columns;
}

size_t terminal_cut(const char *text, int columns) {
    size_t used = 0;
    size_t step = 0;
    for (; text[used] != '\0'; used += step) {
        columns -= columns_of(utf8_read(text + used, &step));
        if (columns < 0) {
            break;
        }
    }
    return used;
}

static bool is_in(const char *list, const char *at, size_t bytes) {
    char text[8] = "";
    memcpy(text, at, bytes);
    return strstr(list, text) != NULL;
}

bool terminal_joins(const char *before, const char *after) {
    static const char marks[] = "，。；：、！？）》”」』】（《“「『【";
    size_t start = strlen(before);
    while (start > 0 && ((uint8_t)before[--start] & 0xc0) == 0x80) {
    }
    size_t last = 0;
    size_t first = 0;
    bool was_wide = columns_of(utf8_read(before + start, &last)) == 2;
    bool is_wide = columns_of(utf8_read(after, &first)) == 2;
    return (was_wide && (is_wide || is_in(marks, before + start, last))) ||
           (is_wide && is_in(marks, after, first));
}

size_t terminal_word(const char *text) {
    size_t used = 0;
    size_t step = 0;
    bool opened = true;  // only an opening mark so far, which stays with what it opens
    while (text[used] != '\0' && text[used] != ' ' && text[used] != '\n') {
        bool is_wide = columns_of(utf8_read(text + used, &step)) == 2;
        bool closes = is_in("，。；：、！？）》”」』】", text + used, step);
        if (!opened && is_wide && !closes) {
            break;
        }
        used += step;
        opened = is_in("（《“「『【", text + used - step, step);
        if (is_wide && !opened) {
            // punctuation that may not begin a line stays with the character
            while (text[used] != '\0' && columns_of(utf8_read(text + used, &step)) == 2 &&
                   is_in("，。；：、！？）》”」』】", text + used, step)) {
                used += step;
            }
            return used;
        }
    }
    return used;
}

void terminal_left(const struct terminal *terminal, const char *text, int columns) {
    int room = columns - terminal_columns(text, strlen(text));
    (void)fprintf(terminal->out, "%s%*s", text, room > 0 ? room : 0, "");
}

void terminal_right(const struct terminal *terminal, const char *text, int columns) {
    int room = columns - terminal_columns(text, strlen(text));
    (void)fprintf(terminal->out, "%*s%s", room > 0 ? room : 0, "", text);
}

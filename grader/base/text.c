// Text that students or compilers wrote must break neither a terminal nor JSON. No locale is
// consulted: a kernel file means the same everywhere.
#include "base/text.h"

#include <stdbool.h>
#include <string.h>

#include "base/basics.h"

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

// Characters that cannot be seen, or that change how others are shown: controls (Cc), all default
// ignorable characters (Unicode's DerivedCoreProperties: bidirectional controls, tags, joiners,
// fillers, variation selectors), separators of lines and paragraphs, annotations, and those that
// XML forbids.  grader/report/parse_values.py has the same list; tests/report compares the two.
static const struct {
    uint32_t first, last;
} hidden[] = {
    {0x0000, 0x001f}, {0x007f, 0x009f}, {0x00ad, 0x00ad},   {0x034f, 0x034f},   {0x061c, 0x061c},
    {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f}, {0x3164, 0x3164}, {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
    {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

static bool is_hidden(uint32_t character) {
    for (size_t i = 0; i < COUNT(hidden); i++) {
        if (character <= hidden[i].last) {
            return character >= hidden[i].first;
        }
    }
    return false;
}

void text_clean(char *text) {
    size_t bytes = 0;
    char *end = text;  // end of the clean part
    for (const char *at = text; *at != '\0'; at += bytes) {
        uint32_t character = utf8_read(at, &bytes);
        bool bad = character == UTF8_BAD && bytes == 1;
        if (*at == '\t') {
            *end++ = ' ';
        } else if (*at != '\n' && (bad || is_hidden(character))) {
            *end++ = '?';
        } else {
            memmove(end, at, bytes);
            end += bytes;
        }
    }
    *end = '\0';
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

bool text_is_word(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || letter == '$' ||
           (unsigned char)letter >= 0x80;
}

bool text_starts(const char *text, const char *start) {
    while (*start != '\0' && *text == *start) {  // nearly all texts differ at once
        text++;
        start++;
    }
    return *start == '\0';
}

bool text_starts_any(const char *text, const char *const *starts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (text_starts(text, starts[i])) {
            return true;
        }
    }
    return false;
}

bool text_is(const char *at, size_t bytes, const char *word) {
    return strlen(word) == bytes && memcmp(at, word, bytes) == 0;
}

const char *text_line(const char **rest, size_t *ret_bytes) {
    const char *line = *rest;
    if (*line == '\0') {
        return NULL;
    }
    *ret_bytes = strcspn(line, "\n");
    *rest = line + *ret_bytes + (line[*ret_bytes] == '\n');
    return line;
}

int text_line_number(const char *text, size_t offset) {
    int line = 1;
    for (size_t i = 0; i < offset; i++) {
        line += text[i] == '\n';
    }
    return line;
}

int text_word_line(const char *text, const char *word) {
    size_t bytes = strlen(word);
    for (const char *at = strstr(text, word); at && bytes > 0; at = strstr(at + 1, word)) {
        if ((at == text || !text_is_word(at[-1])) && !text_is_word(at[bytes])) {
            return text_line_number(text, (size_t)(at - text));
        }
    }
    return 0;
}

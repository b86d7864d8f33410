// No locale is consulted: a kernel file means the same everywhere.
#include "base/text.h"

#include <string.h>

bool text_is_word(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || letter == '$' ||
           (unsigned char)letter >= 0x80;
}

bool text_starts(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
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

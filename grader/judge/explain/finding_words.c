// Lines, threads and blocks as people write them.
#include "judge/explain/finding_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/translate.h"
#include "base/utf8.h"

enum hazard words_hazard(const struct finding *seen) {
    if (seen->access == ACCESS_ATOMIC || seen->other_access == ACCESS_ATOMIC) {
        return HAZARD_ATOMIC;
    }
    if (seen->access == ACCESS_READ) {
        return HAZARD_WRITE_AFTER_READ;
    }
    return seen->other_access == ACCESS_READ ? HAZARD_READ_AFTER_WRITE : HAZARD_WRITE_AFTER_WRITE;
}

bool words_between_blocks(const struct finding *seen) {
    return (seen->flags & FINDING_BETWEEN_BLOCKS) != 0;
}

void words_write(char *text, size_t text_bytes, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, text_bytes, text_of(format), arguments);
    va_end(arguments);
    text_end(text);
}

void words_sentence(char *text, size_t text_bytes, const char *format, ...) {
    size_t end = strlen(text);
    const char *gap = end > 0 && end + 1 < text_bytes ? sentence_gap() : "";
    size_t start = end + strlen(gap);
    va_list arguments;
    memcpy(text + end, gap, strlen(gap) + 1);
    va_start(arguments, format);
    (void)vsnprintf(text + start, text_bytes - start, text_of(format), arguments);
    va_end(arguments);
    if (text[start] == '\0') {
        text[end] = '\0';
    }
    text_end(text);
}

const char *words_line(uint32_t line, char text[WHERE_MAX]) {
    if (line == 0) {
        return _("an unknown line");
    }
    (void)snprintf(text, WHERE_MAX, _("line %u"), line);
    return text;
}

const char *words_thread(const uint32_t thread[3], char text[WHERE_MAX]) {
    (void)snprintf(text, WHERE_MAX, _("thread (%u, %u, %u)"), thread[0], thread[1], thread[2]);
    return text;
}

const char *words_block(const uint32_t block[3], char text[WHERE_MAX]) {
    (void)snprintf(text, WHERE_MAX, _("block (%u, %u, %u)"), block[0], block[1], block[2]);
    return text;
}

// Reads answers.ini with patience: see answers.h.  inih would stop at the first wrong line.
#include "exercise/answers.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define NUMBER_MAX      999

void answers_fault(struct answers *answers, int line) {
    int at = answers->fault_count < ANSWERS_FAULTS_MAX ? answers->fault_count : ANSWERS_FAULTS_MAX;
    answers->fault_count++;
    while (at > 0 && answers->fault_line[at - 1] > line) {
        if (at < ANSWERS_FAULTS_MAX) {
            answers->fault_line[at] = answers->fault_line[at - 1];
        }
        at--;
    }
    if (at < ANSWERS_FAULTS_MAX) {
        answers->fault_line[at] = line;
    }
}

static size_t trimmed(const char *text, size_t bytes) {
    while (bytes > 0 && isspace((unsigned char)text[bytes - 1])) {
        bytes--;
    }
    return bytes;
}

// "[tiled]"; false if it is no section.
static bool section_read(const char *line, size_t bytes, char section[NAME_BYTES_MAX]) {
    size_t length = bytes > 2 && line[bytes - 1] == ']' ? bytes - 2 : 0;
    if (length == 0 || length >= NAME_BYTES_MAX) {
        return false;
    }
    memcpy(section, line + 1, length);
    section[length] = '\0';
    return true;
}

// "5 = b"; false if it is no answer.
static bool pair_read(const char *line, size_t bytes, struct given_answer *answer) {
    char *end = NULL;
    const char *equals = memchr(line, '=', bytes);
    long number = isdigit((unsigned char)*line) ? strtol(line, &end, 10) : 0;
    if (!equals || number < 1 || number > NUMBER_MAX || end + strspn(end, " \t") != equals) {
        return false;
    }
    const char *text = equals + 1 + strspn(equals + 1, " \t");
    size_t length = text < line + bytes ? (size_t)(line + bytes - text) : 0;
    if (length >= sizeof answer->text) {
        return false;
    }
    memcpy(answer->text, text, length);
    answer->text[length] = '\0';
    answer->number = (int)number;
    return true;
}

void answers_parse(const char *text, struct answers *ret_answers) {
    char section[NAME_BYTES_MAX] = "";
    size_t bytes = 0;
    int number = 0;
    memset(ret_answers, 0, sizeof *ret_answers);
    text += text_starts(text, BYTE_ORDER_MARK) ? strlen(BYTE_ORDER_MARK) : 0;
    for (const char *line; (line = text_line(&text, &bytes)) != NULL;) {
        struct given_answer answer = {.line = ++number};
        bool good = true;
        size_t blanks = strspn(line, " \t");
        blanks = blanks < bytes ? blanks : bytes;
        line += blanks;
        bytes = trimmed(line, bytes - blanks);
        if (bytes == 0 || *line == ';' || *line == '#') {
            continue;
        }
        if (*line == '[') {
            good = section_read(line, bytes, section);
        } else {
            good = section[0] != '\0' && ret_answers->count < ANSWERS_MAX &&
                   pair_read(line, bytes, &answer);
            if (good) {
                memcpy(answer.section, section, sizeof section);
                ret_answers->list[ret_answers->count++] = answer;
            }
        }
        if (!good) {
            answers_fault(ret_answers, number);
        }
    }
}

const struct given_answer *answers_before(const struct answers *answers,
                                          const struct given_answer *other, const char *section,
                                          int number) {
    ptrdiff_t end = other ? other - answers->list : answers->count;
    for (ptrdiff_t i = end - 1; i >= 0; i--) {
        const struct given_answer *answer = &answers->list[i];
        if (answer->number == number && answer->text[0] != '\0' &&
            strcmp(answer->section, section) == 0) {
            return answer;
        }
    }
    return NULL;
}

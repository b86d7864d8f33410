// A message starts with its place, "file:12:5: "; lines without one belong to the message before.
#include "device/build/gxx_message.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "device/source/fault.h"

bool compiler_message_line(const char **at, char text[COMPILER_LINE_MAX]) {
    if (**at == '\0') {
        return false;
    }
    size_t length = strcspn(*at, "\n");
    size_t kept = length < COMPILER_LINE_MAX - 1 ? length : COMPILER_LINE_MAX - 1;
    memcpy(text, *at, kept);
    text[kept] = '\0';
    *at += length + ((*at)[length] == '\n');
    return true;
}

// Reads "file:12:" at the start of a line.
static const char *place_read(const char *text, struct compiler_message *message) {
    const char *colon = strchr(text, ':');
    if (!colon || colon == text || text[0] == ' ' ||
        (size_t)(colon - text) >= sizeof message->file) {
        return NULL;
    }
    char *end = NULL;
    long line = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || *end != ':' || line < 1 || line > SOURCE_BYTES_MAX) {
        return NULL;
    }
    memcpy(message->file, text, (size_t)(colon - text));
    message->file[colon - text] = '\0';
    message->line = (int)line;
    while (isdigit((unsigned char)end[1])) {  // the column
        end = strchr(end + 1, ':');
        if (!end) {
            return NULL;
        }
    }
    return end + 1;
}

bool compiler_message_next(const char **at, struct compiler_message *message) {
    static const struct {
        const char *mark, *kind;
    } kinds[] = {{" fatal error: ", "error"},
                 {" error: ", "error"},
                 {" warning: ", "warning"},
                 {" note: ", "note"}};
    if (!compiler_message_line(at, message->text)) {
        return false;
    }
    message->file[0] = '\0';
    message->line = 0;
    message->said = NULL;
    message->kind = NULL;
    bool context = text_starts(message->text, "In file included");
    const char *rest = context ? NULL : place_read(message->text, message);
    for (size_t i = 0; rest && i < COUNT(kinds); i++) {
        size_t length = strlen(kinds[i].mark);
        if (strncmp(rest, kinds[i].mark, length) == 0) {
            message->kind = kinds[i].kind;
            message->said = strcmp(message->kind, "error") == 0 ? rest + length : NULL;
            break;
        }
    }
    return true;
}

bool compiler_message_is_submission(const char *file) {
    return strcmp(file, BUILD_SOURCE) == 0;
}

bool compiler_message_is_open_brace(const struct compiler_message *message) {
    return message->said && strcmp(message->said, "expected '}' at end of input") == 0;
}

bool compiler_message_is_shim(const char *file) {
    return strstr(file, "/emu/shim/cuda_") != NULL;
}

void compiler_message_plain(char *text) {
    static const char prefix[] = "__tilegrade_";
    for (char *at = strstr(text, prefix); at; at = strstr(at, prefix)) {
        const char *rest = at + strlen(prefix);
        memmove(at, rest, strlen(rest) + 1);
    }
}

// Ours are the headers next to kernel.cuh and those of the shim.
bool compiler_message_is_ours(const char *file) {
    return strstr(file, "/include/standin/") != NULL ||
           strstr(file, "/include/matmul.cuh") != NULL ||
           strstr(file, "/include/kernel.cuh") != NULL || strstr(file, "/include/ptx") != NULL ||
           compiler_message_is_shim(file);
}

// Demangling is left to libsupc++, the part of the C++ runtime that can be linked alone.
#include "device/object/symbol.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Declared by <cxxabi.h>, which C cannot include.  Source: Itanium C++ ABI, 3.4.
char *__cxa_demangle(const char *symbol, char *buffer, size_t *length, int *status);

char *symbol_demangle(const char *symbol) {
    // Without its prefix, "i" would be demangled to the type int.
    char *text = strncmp(symbol, "_Z", 2) == 0 ? __cxa_demangle(symbol, NULL, NULL, NULL) : NULL;
    return text ? text : strdup(symbol);
}

static size_t identifier_length(const char *at) {
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '$' ||
           (unsigned char)at[length] >= 0x80) {
        length++;
    }
    return length;
}

static bool is_word(const char *at, size_t length, const char *word) {
    return strlen(word) == length && strncmp(at, word, length) == 0;
}

void symbol_readable(const char *symbol, char *text, size_t bytes) {
    char *whole = symbol_demangle(symbol);
    const char *found = whole ? whole : symbol;
    size_t found_length = strlen(found);
    int depth = 0;  // of brackets: around parameters, template arguments, lambdas
    for (const char *at = found; *at != '\0';) {
        size_t length = identifier_length(at);
        if (length == 0) {
            depth += strchr("(<{[", *at) ? 1 : strchr(")>}]", *at) ? -1 : 0;
            at++;
            continue;
        }
        if (is_word(at, length, "operator")) {
            bool word =
                strncmp(at + length, " new", 4) == 0 || strncmp(at + length, " del", 4) == 0;
            at += length + (strncmp(at + length, "()", 2) == 0 ? 2 : 0);
            at += word ? 0 : strcspn(at, "(");  // "operator<<(": no brackets
            continue;
        }
        if (depth == 0 && !is_word(at, length, "const")) {
            found = at;
            found_length = length;
        }
        at += length;
    }
    (void)snprintf(text, bytes, "%.*s", (int)found_length, found);
    free(whole);
}

// Demangling is left to libsupc++, the part of the C++ runtime that can be linked alone.
#include "device/object/symbol.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

// Declared by <cxxabi.h>, which C cannot include.  Source: Itanium C++ ABI, 3.4.
char *__cxa_demangle(const char *symbol, char *buffer, size_t *length, int *status);

char *symbol_demangle(const char *symbol) {
    // Without its prefix, "i" would be demangled to the type int.
    char *text = text_starts(symbol, "_Z") ? __cxa_demangle(symbol, NULL, NULL, NULL) : NULL;
    return text ? text : strdup(symbol);
}

static size_t identifier_length(const char *at) {
    size_t length = 0;
    while (text_is_word(at[length])) {
        length++;
    }
    return length;
}

void symbol_readable(const char *symbol, char *text, size_t bytes) {
    char *whole = symbol_demangle(symbol);
    const char *found = whole ? whole : symbol;
    size_t found_length = strlen(found);
    int depth = 0;  // open brackets: around parameters, template arguments, lambdas
    for (const char *at = found; *at != '\0';) {
        size_t length = identifier_length(at);
        if (length == 0) {
            depth += strchr("(<{[", *at) ? 1 : strchr(")>}]", *at) ? -1 : 0;
            at++;
            continue;
        }
        if (text_is(at, length, "operator")) {
            bool word = text_starts(at + length, " new") || text_starts(at + length, " del");
            at += length + (text_starts(at + length, "()") ? 2 : 0);
            at += word ? 0 : strcspn(at, "(");  // "operator<<(": no brackets
            continue;
        }
        if (depth == 0 && !text_is(at, length, "const")) {
            found = at;
            found_length = length;
        }
        at += length;
    }
    (void)snprintf(text, bytes, "%.*s", (int)found_length, found);
    free(whole);
}

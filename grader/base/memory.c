// The process ends with exit, so that its exit handlers run: `watch` resets the terminal.
#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/words.h"

void memory_end(void) {
    (void)fprintf(stderr, "%s: %s\n", program_invocation_short_name, _("no memory"));
    exit(status_exit_code(STATUS_NO_MEMORY));
}

void *xmalloc(size_t bytes) {
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (!memory) {
        memory_end();
    }
    return memory;
}

void *xcalloc(size_t count, size_t bytes) {
    void *memory = calloc(count > 0 ? count : 1, bytes > 0 ? bytes : 1);
    if (!memory) {
        memory_end();
    }
    return memory;
}

void *xrealloc(void *memory, size_t bytes) {
    void *larger = realloc(memory, bytes > 0 ? bytes : 1);
    if (!larger) {
        memory_end();
    }
    return larger;
}

char *xstrdup(const char *text) {
    return xstrndup(text, strlen(text));
}

char *xstrndup(const char *text, size_t bytes_max) {
    size_t length = strnlen(text, bytes_max);
    char *copy = xmalloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *xvasprintf(const char *format, va_list arguments) {
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0) {
        memory_end();
    }
    return text;
}

char *xasprintf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = xvasprintf(format, arguments);
    va_end(arguments);
    return text;
}

FILE *xopen_memstream(char **ret_text, size_t *ret_bytes) {
    FILE *stream = open_memstream(ret_text, ret_bytes);
    if (!stream) {
        memory_end();
    }
    return stream;
}

void xclose_memstream(FILE *stream, char **text) {
    bool whole = ferror(stream) == 0;
    // fclose shrinks the buffer to the length of the text.  If that fails, it reports no error, but
    // *text is NULL.
    whole = fclose(stream) == 0 && whole && *text;
    if (!whole) {
        memory_end();
    }
}

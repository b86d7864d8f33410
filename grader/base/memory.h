// Memory for programs that can do nothing without it: the judge, the commands around it, and the
// tools that it runs.  If there is none, these print one line and end the process with exit code 3,
// so no caller has an error to pass on.
//
// This leaves no half-written result, because a result is written whole and then renamed.
// app/supervise.h takes care of scratch folders and other processes.  Code that runs next to a
// student's kernel must not end like this, because it would look like the end of the kernel: emu/,
// device/emu/, device/gpu/ and expected/ use malloc and return STATUS_NO_MEMORY.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

// Owns  the caller frees what these return, which is never NULL.
void *xmalloc(size_t bytes) __attribute__((malloc));
void *xcalloc(size_t count, size_t bytes) __attribute__((malloc));  // filled with 0
void *xrealloc(void *memory, size_t bytes);
char *xstrdup(const char *text) __attribute__((malloc));
char *xstrndup(const char *text, size_t bytes_max) __attribute__((malloc));
char *xvasprintf(const char *format, va_list arguments)
    __attribute__((malloc, format(printf, 1, 0)));
char *xasprintf(const char *format, ...) __attribute__((malloc, format(printf, 1, 2)));

// A stream whose text grows as it is written.  After xclose_memstream *ret_text is the whole text.
// Owns  the caller frees *ret_text.
FILE *xopen_memstream(char **ret_text, size_t *ret_bytes);
void xclose_memstream(FILE *stream, char **text);

// Ends the process as the functions above do.
_Noreturn void memory_end(void);

#endif

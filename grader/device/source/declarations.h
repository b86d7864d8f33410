// Facts about a name in the text of a kernel file.  Comments and literals are ignored.
#ifndef DEVICE_SOURCE_DECLARATIONS_H
#define DEVICE_SOURCE_DECLARATIONS_H

#include <stdbool.h>

// The first line, from 1, with that name; 0 if there is none.
int source_name_line(const char *text, const char *name);

// The last line with that name up to `line`; 0 if there is none.
int source_name_line_above(const char *text, const char *name, int line);

// True if the file can have names that are not words of its text: it pastes words, or has assembly.
bool source_builds_names(const char *text);

// True if the text declares a variable of that name const or constexpr, and not through a pointer,
// and no other variable of that name that is static or __device__ without being constant.
bool source_declares_const(const char *text, const char *name);

#endif

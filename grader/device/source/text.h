// What can be said of a kernel file from its text alone, such as which names it declares constant.
// What can be decided from what the compiler made of it is decided there.
#ifndef DEVICE_SOURCE_TEXT_H
#define DEVICE_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// Stands where a backslash joined two lines: it ends no word, as the compiler sees nothing there.
#define SOURCE_JOINT '\1'

// The text with comments, character and string literals turned into spaces, and SOURCE_JOINT
// where a backslash joins two lines; every offset and every other line end stays.
// Owns: the caller frees it.  NULL: no memory.
char *source_blank(const char *text);

bool source_is_word(char c);   // a letter of a name
bool source_is_space(char c);  // also SOURCE_JOINT and line ends

// The line, from 1, of an offset.
int source_line(const char *text, size_t offset);

// True where the blanked text declares a variable of that name const or constexpr, and not through
// a pointer; and none of that name, static or __device__, that is not.
bool source_declares_const(const char *blank, const char *name);

// The line on which a name first stands as a whole word, 0 if it does not.
int source_word_line(const char *text, const char *name);

// The last such line that is not below `line`, 0 if there is none.
int source_word_line_above(const char *text, const char *name, int line);

#endif

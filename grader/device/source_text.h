// What can be said of a kernel file from its text alone: which files it includes and which names it
// declares constant. Everything else is decided from what the compiler made of it.
#ifndef DEVICE_SOURCE_TEXT_H
#define DEVICE_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

// Stands where a backslash joined two lines: it ends no word, as the compiler sees nothing there.
#define SOURCE_JOINT '\1'

// The text with comments, character and string literals turned into spaces, and SOURCE_JOINT
// where a backslash joins two lines; every offset and every other line end stays.
// Owns: the caller frees it.  NULL: no memory.
char *source_blank(const char *text);

// The line, from 1, of an offset.
int source_line(const char *text, size_t offset);

// Finds the first #include that may not be: a path that begins with / or holds .., or a name made
// by a macro.
//
// Returns  true with its line.
bool source_foreign_include(const char *text, const char *blank, int *ret_line);

// True where the blanked text declares a variable of that name const or constexpr, and not through
// a pointer.
bool source_declares_const(const char *blank, const char *name);

// The line on which a name first stands as a whole word, 0 if it does not.
int source_word_line(const char *text, const char *name);

// The last such line that is not below `line`, 0 if there is none.
int source_word_line_above(const char *text, const char *name, int line);

// True where PTX holds a tensor-core instruction; ret_name gets it.
// Source: PTX ISA 8.x, "Matrix multiply-accumulate operations": mma, wmma, wgmma, tcgen05.  A name
// of PTX holds no dot, so a word that begins with one of these and a dot is an instruction.
bool ptx_tensor_instruction(const char *ptx, char *ret_name, size_t name_bytes);

#endif

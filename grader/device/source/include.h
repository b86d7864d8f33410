// Files that a kernel file includes, before any compiler opens one.
#ifndef DEVICE_SOURCE_INCLUDE_H
#define DEVICE_SOURCE_INCLUDE_H

#include <stdbool.h>

// Finds the first #include that may not be: a path that begins with / or holds .., or a name made
// by a macro.
//
// blank    the text as source_blank leaves it.
// Returns  true with its line.
bool source_foreign_include(const char *text, const char *blank, int *ret_line);

#endif

// C++ names of symbols, as a program spells them.
#ifndef DEVICE_OBJECT_SYMBOL_H
#define DEVICE_OBJECT_SYMBOL_H

#include <stddef.h>

// "Tile::load(float const*)" of "_ZN4Tile4loadEPKf"; a symbol that is no C++ name is returned as it
// is.  NULL if memory ends.  Owns: the caller frees it.
char *symbol_demangle(const char *symbol);

// The last identifier of a symbol, for people: "load" of "_ZN4Tile4loadEPKf", "As" of
// "_ZZ6matmulE2As"; of an operator its class, of a lambda the function that it is in.
void symbol_readable(const char *symbol, char *text, size_t bytes);

#endif

// C++ names of symbols, as a program spells them.
#ifndef DEVICE_OBJECT_SYMBOL_H
#define DEVICE_OBJECT_SYMBOL_H

#include <stddef.h>

// "Tile::load(float const*)" of "_ZN4Tile4loadEPKf"; a symbol that is not a C++ name is returned
// unchanged.  NULL without memory.  Owns: the caller frees it.
char *symbol_demangle(const char *symbol);

// The last identifier of a symbol, for people: "load" of "_ZN4Tile4loadEPKf", "As" of
// "_ZZ6matmulE2As"; for an operator its class, for a lambda the function that it is in.
void symbol_readable(const char *symbol, char *text, size_t bytes);

#endif

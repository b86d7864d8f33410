// The meaning of symbol names in a student's object, and their spelling in a program: pure
// functions.
#ifndef DEVICE_OBJECT_SYMBOLS_H
#define DEVICE_OBJECT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

enum symbol_class {
    SYMBOL_OURS,       // the runtime or the C library's pure functions: may be called
    SYMBOL_STUDENT,    // a C++ name: declared in the file, but defined nowhere
    SYMBOL_NEEDS_GPU,  // a device function that the CPU device does not have
    SYMBOL_STATIC,     // a function that C++ calls to set up variables at run time
    SYMBOL_FOREIGN     // anything else: host code
};

// True for mathematics of the C library and of libgcc: no state, no system call.
bool symbol_is_pure(const char *name);

// True for the mathematical functions that load or store through a pointer.
bool symbol_takes_pointer(const char *name);

// Classifies an undefined symbol.
enum symbol_class symbol_classify(const char *name);

// True for code that C++ makes by itself or inside device code: lambdas, constructors and the like,
// thread-local wrappers, parts of functions.
bool symbol_is_implied(const char *name);
bool symbol_is_lambda(const char *name);

// True if `symbol` is the C++ name of a function called `name`: "_Z12matmul_tiledPf",
// "_ZL12matmul_tiledv". *ret_parameters points past the name.
bool symbol_is_overload(const char *symbol, const char *name, const char **ret_parameters);

// True for a name that only the runtime or the C library may define.
bool symbol_is_reserved(const char *name);

// "Tile::load(float const*)" of "_ZN4Tile4loadEPKf"; a symbol that is not a C++ name is returned
// unchanged.  Owns: the caller frees it.
char *symbol_demangle(const char *symbol);

// The last identifier of a symbol, for people: "load" of "_ZN4Tile4loadEPKf", "As" of
// "_ZZ6matmulE2As"; for an operator its class, for a lambda its function.
void symbol_readable(const char *symbol, char *text, size_t bytes);

#endif

// The text of a whole program, changed so that g++ compiles it: launches become calls, and the
// variables of the device get a section of their own.  Line numbers stay.
#ifndef DEVICE_SOURCE_PROGRAM_TEXT_H
#define DEVICE_SOURCE_PROGRAM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cpp_lexer.h"
#include "base/text.h"

// The kernels that the files of a program declare.  Starts as {0}.
struct program_kernels {
    struct program_kernel {
        char *name;
        char *parameters;  // their types, as far as tokens show them
        bool needs_call;   // only a call chooses one: a template, an overload, a default argument
    } * kernel;
    size_t count;
};

// Adds the kernels of one file.
void program_kernels_read(struct text text, struct program_kernels *kernels);
void program_kernels_done(struct program_kernels *kernels);

// The changed text of one file:
//
//   f<<<grid, block>>>(x)     ::tilegrade::launch(::tilegrade::config(grid, block), f)(x)
//   f<8><<<grid, block>>>(x)  ::tilegrade::launch_any(::tilegrade::config(grid, block),
//                             [](auto... tilegrade_argument) { f<8>(tilegrade_argument...); })(x)
//   __device__ int count;     __tilegrade_variable__ int count;
//   __managed__ int count;    __tilegrade_managed__ int count;
//   extern __device__ int n;  extern  int n;
//
// Owns  the caller frees the result.
char *program_text(struct text text, const struct program_kernels *kernels);

// The names of a program's macros, and on which side its functions are.  Starts as {0}.
struct program_names {
    struct program_name {
        char *name;
        unsigned sides;
    } * name;
    size_t count;
};

// Adds those of one file: first the macros of all files, then the functions of all.
void program_macros_read(struct text text, struct program_names *names);
void program_functions_read(struct text text, struct program_names *names);
void program_names_done(struct program_names *names);

// A call that nvcc refuses.
struct program_call {
    enum {
        CALLS_HOST,    // a kernel or a function of the device calls one of the host
        CALLS_DEVICE,  // a function of the host calls one of the device
        CALLS_KERNEL   // a kernel is called without <<<…>>>
    } kind;
    int line;
    char name[64];
};

// The first such call in a file; false if none is certain.
bool program_call_find(struct text text, struct program_names *names,
                       struct program_call *ret_call);

// The next file that a text includes.  Starts with a lexer of the text; false at its end.
bool program_include_next(struct cpp_lexer *lexer, char *ret_name, size_t name_bytes,
                          bool *ret_is_quoted);

#endif

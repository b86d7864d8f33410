// What a kernel is called with, as judge and worker see it: the parameters in order, with the bytes
// of each array and where they are in the memfd.  The number of an array in a finding, a trace and
// a guard is that of its parameter.
#ifndef EMU_WIRE_ARGUMENTS_H
#define EMU_WIRE_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"

#define ARGUMENT_NAME_BYTES 32                   // with the final NUL
#define ARGUMENT_TYPE_BYTES 16                   // likewise; "13__nv_bfloat16" fills it
#define ARGUMENTS_BYTES_MAX (UINT64_C(4) << 30)  // of all arrays of a launch
#define REAL_VALUES_MAX     8  // floating-point values: as many as go in registers

enum argument_kind {
    ARGUMENT_ARRAY,
    ARGUMENT_CONSTANT,  // a __constant__ array, filled before each launch; no argument of the call
    ARGUMENT_INTEGER,
    ARGUMENT_REAL,  // float or double
    ARGUMENT_KIND_COUNT
};

struct argument {
    uint32_t kind;                   // enum argument_kind
    uint32_t is_input;               // of an array: the kernel may only read it
    uint32_t one_bytes;              // of an element, or of a value: 1, 2, 4 or 8
    uint32_t is_missing;             // of a constant array: the file has none that is large enough
    char type[ARGUMENT_TYPE_BYTES];  // of an element or value, mangled: "f"; NUL-terminated
    // Of a value: its bits, an integer extended to 64 by its sign.  Of a constant array: its
    // address in the program of the CPU device; 0: the kernel does not use it.
    uint64_t value;
    uint64_t at;  // of an array: in the memfd
    uint64_t bytes;
    char name[ARGUMENT_NAME_BYTES];  // of a constant array; NUL-terminated
};

struct arguments {
    uint32_t count;
    uint32_t reserved;
    // Of a product, rows and columns of A, B and C, for what launches miss (coverage.h); else 0.
    uint32_t extent[3][2];
    struct argument list[ARGUMENTS_MAX];
};

// The size of array i of global memory; 0 if parameter i is none.
static inline uint64_t arguments_global_bytes(const struct arguments *arguments, uint32_t i) {
    const struct argument *argument = &arguments->list[i];
    return i < arguments->count && argument->kind == ARGUMENT_ARRAY ? argument->bytes : 0;
}

static inline bool arguments_are_of_product(const struct arguments *arguments) {
    return arguments->extent[0][0] > 0;
}

// True if a constant array is missing.
bool arguments_lack(const struct arguments *arguments);

// The bytes of the memfd that hold the arrays, in whole pages.
uint64_t arguments_memory_bytes(const struct arguments *arguments);

// True if these can be arguments: every number in its range, every array in the memfd.
bool arguments_check(const struct arguments *arguments);

#endif

// The work of a product, for judge and worker: the arguments of each kernel, and the request of
// LAUNCH_CONFIG, which has the launches that make the product, and their common workspace.
#ifndef EMU_WIRE_LAUNCH_PLAN_H
#define EMU_WIRE_LAUNCH_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"

#define ARGUMENT_NAME_BYTES 32                   // with the final NUL
#define ARGUMENT_TYPE_BYTES 16                   // likewise; "13__nv_bfloat16" fills it
#define ARGUMENTS_BYTES_MAX (UINT64_C(4) << 30)  // of all arrays of a launch
#define REAL_VALUES_MAX     8                    // floating-point values, all passed in registers

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
    uint32_t is_missing;             // of a constant array: the file has no large enough one
    char type[ARGUMENT_TYPE_BYTES];  // of an element or value, mangled: "f"; NUL-terminated
    // For a value: its bits, with an integer sign-extended to 64.  For a constant array: its
    // address in the CPU device's program; 0: the kernel does not use it.
    uint64_t value;
    uint64_t at;  // of an array: in the memfd
    uint64_t bytes;
    // Of an input whose contents repeat, in a launch of a part of the blocks: the bytes that the
    // memfd has, whole pages; else 0.
    uint64_t period;
    char name[ARGUMENT_NAME_BYTES];  // of a constant array; NUL-terminated
};

struct arguments {
    uint32_t count;
    uint32_t reserved;
    // For a product, rows and columns of A, B and C, to find missed elements (counts.h); else 0.
    uint32_t extent[3][2];
    struct argument list[ARGUMENTS_MAX];
};

// The size of array i of global memory; 0 if parameter i is not an array.
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

// True if these are valid arguments: every number in its range, every array in the memfd.
bool arguments_check(const struct arguments *arguments);

#define WORKSPACE_BYTES_MAX (128u << 20)  // two matrices of 4096 x 4096; in kernel.cuh too
#define PLAN_TENSORS_MAX    16
#define TENSOR_RANK_MAX     5
#define TENSOR_WORKSPACE    1000u  // the array of a tensor map
#define TENSOR_MAP_BYTES    128u

// The order in which the CPU device runs the blocks and threads of a launch.  Any other number
// draws an order.
#define ORDER_FORWARD 0u
#define ORDER_REVERSE 1u
#define ORDER_NEWEST  2u  // in turn, but each block lets others begin, and the newest goes on first

// One launch, with the layout of struct launch_step of matmul.cuh.
struct plan_launch {
    uint32_t grid[3];
    uint32_t block[3];
    uint64_t shared_bytes;
    uint64_t address;              // emu: of the kernel's code; 0: the exercise's own kernel
    char kernel[KERNEL_NAME_MAX];  // as the file spells it; "": the exercise's own kernel
    uint32_t dependent;            // not 0: it may begin before the previous launch has ended
    uint32_t reserved;
};

// A tensor map, with the layout of struct tensor_layout of kernel.cuh.
struct plan_tensor {
    uint32_t parameter;  // the array: its number among the kernel's parameters, or TENSOR_WORKSPACE
    uint32_t type;       // CUtensorMapDataType
    uint32_t rank;       // 0: there is no such map
    uint32_t swizzle;    // bytes
    uint64_t offset;     // bytes
    uint64_t size[TENSOR_RANK_MAX];        // elements, the contiguous dimension first
    uint64_t stride[TENSOR_RANK_MAX - 1];  // bytes, from the second dimension
    uint32_t box[TENSOR_RANK_MAX];         // elements
    uint32_t reserved;
};

// Bytes of an element of a CUtensorMapDataType; 0 for unknown types and those of less than a byte.
static inline uint32_t tensor_element_bytes(uint32_t type) {
    static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    return type < sizeof bytes ? bytes[type] : 0;
}

// struct launch_config of matmul.cuh, with its layout in CUDA C++.  Untrusted code writes it.
struct launch_config {
    uint32_t grid[3];
    uint32_t block[3];
    uint64_t shared_bytes;
    uint64_t workspace_bytes;
    uint32_t launch_count;  // uses of LAUNCH, including those that did not fit
    uint32_t reserved;
    struct plan_launch launch[PLAN_LAUNCHES_MAX];
    struct plan_tensor tensor[PLAN_TENSORS_MAX];
};

// The initial value for LAUNCH_CONFIG: y and z are 1, as in any dim3; x must be set.
#define LAUNCH_CONFIG_START                                                                        \
    {                                                                                              \
        .grid = {0, 1, 1}, .block = { 0, 1, 1 }                                                    \
    }

// The same, checked: the launches run one after the other and make the product.
struct launch_plan {
    uint64_t workspace_bytes;  // a multiple of 4; 0: none
    uint32_t count;            // 1 .. PLAN_LAUNCHES_MAX
    struct plan_launch launch[PLAN_LAUNCHES_MAX];
    struct plan_tensor tensor[PLAN_TENSORS_MAX];
};

#endif

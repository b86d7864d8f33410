// The request of LAUNCH_CONFIG: the launches that make one product, and their common workspace.
#ifndef EMU_WIRE_LAUNCH_PLAN_H
#define EMU_WIRE_LAUNCH_PLAN_H

#include <stdint.h>

#include "base/limits.h"

#define WORKSPACE_BYTES_MAX (128u << 20)  // two matrices of 4096 x 4096; in kernel.cuh too
#define PLAN_TENSORS_MAX    16
#define TENSOR_RANK_MAX     5
#define TENSOR_WORKSPACE    1000u  // the array of a tensor map
#define TENSOR_MAP_BYTES    128u

// The order in which the CPU device runs the blocks and threads of a launch.  Any other number
// draws one.
#define ORDER_FORWARD 0u
#define ORDER_REVERSE 1u

// One launch, with the layout of struct launch_step of matmul.cuh.
struct plan_launch {
    uint32_t grid[3];
    uint32_t block[3];
    uint64_t shared_bytes;
    uint64_t address;              // emu: of the kernel's code; 0: the exercise's own kernel
    char kernel[KERNEL_NAME_MAX];  // as the file spells it; "": the exercise's own kernel
    uint32_t dependent;            // not 0: it may begin before the launch before it has ended
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

// Bytes of an element of a CUtensorMapDataType; 0 for those of less than a byte, and unknown ones.
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

// What LAUNCH_CONFIG asks for: the launches that make one product, and the workspace they share.
#ifndef EMU_WIRE_PLAN_H
#define EMU_WIRE_PLAN_H

#include <stdint.h>

#include "base/limits.h"

#define WORKSPACE_BYTES_MAX (64u << 20)  // as much as a matrix of 4096 x 4096

// One launch, as struct launch_step of matmul.cuh lays it out.
struct plan_launch {
    uint32_t grid[3];
    uint32_t block[3];
    uint64_t shared_bytes;
    uint64_t address;              // emu: of the kernel's code; 0: the exercise's own kernel
    char kernel[KERNEL_NAME_MAX];  // as the file spells it; "": the exercise's own kernel
};

// struct launch_config of matmul.cuh, by its layout in CUDA C++: written by code that nobody
// trusts.
struct launch_config {
    uint32_t grid[3];
    uint32_t block[3];
    uint64_t shared_bytes;
    uint64_t workspace_bytes;
    uint32_t launch_count;  // uses of LAUNCH, also those that found no room
    uint32_t reserved;
    struct plan_launch launch[PLAN_LAUNCHES_MAX];
};

// What LAUNCH_CONFIG finds: y and z are 1, as in any dim3; x must be set.
#define LAUNCH_CONFIG_START                                                                        \
    {                                                                                              \
        .grid = {0, 1, 1}, .block = { 0, 1, 1 }                                                    \
    }

// The same, checked: one launch after the other makes the product.
struct launch_plan {
    uint64_t workspace_bytes;  // a multiple of 4; 0: none
    uint32_t count;            // 1 .. PLAN_LAUNCHES_MAX
    struct plan_launch launch[PLAN_LAUNCHES_MAX];
};

#endif

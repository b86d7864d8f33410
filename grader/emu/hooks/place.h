// The place in a kernel that called a hook, and what is local to the calling thread.
#ifndef EMU_HOOKS_PLACE_H
#define EMU_HOOKS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/machine/fiber.h"

#define PLACE ((uint64_t)(uintptr_t)__builtin_return_address(0))

// Local variables are not checked, and in some kernels most calls are about them: so this test
// comes first and reads no memory.  `frame` is the hook's frame address or, which is exact, its
// canonical frame address.
static inline __attribute__((always_inline)) bool place_is_local(uint64_t address, uint64_t frame) {
    return address - frame < FIBER_STACK_BYTES;
}

#endif

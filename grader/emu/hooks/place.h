// Where a kernel called a hook, and what is local to it there.
#ifndef EMU_HOOKS_PLACE_H
#define EMU_HOOKS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/machine/fiber.h"

#define PLACE ((uint64_t)(uintptr_t)__builtin_return_address(0))

// Local variables are of no interest, and most calls in some kernels are about them: first test, no
// memory touched.  `frame` is the frame of the hook or, what is exact, the end of its caller's.
static inline __attribute__((always_inline)) bool place_is_local(uint64_t address, uint64_t frame) {
    return address - frame < FIBER_STACK_BYTES;
}

#endif

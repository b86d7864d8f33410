// The place in a kernel that called a hook, and what is local to the calling thread.
#ifndef EMU_HOOKS_PLACE_H
#define EMU_HOOKS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/machine/state.h"

#define PLACE ((uint64_t)(uintptr_t)__builtin_return_address(0))

// Local variables are not checked, and in some kernels most calls are about them: so this test
// comes first.  `frame` is the hook's frame address or, which is exact, its
// canonical frame address.
static inline __attribute__((always_inline)) bool place_is_local(uint64_t address, uint64_t frame) {
    return address - frame < FIBER_STACK_BYTES;
}

// The same, but false in a file with wgmma while checks are made: sums and factors of a wgmma are
// local.
static inline __attribute__((always_inline)) bool place_is_unwatched(uint64_t address,
                                                                     uint64_t frame) {
    return address - frame < machine_state.local_bytes;
}

#endif

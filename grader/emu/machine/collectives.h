// Collective calls of the lanes of a warp.  The names that kernels use are in hooks/lane_calls.c.
#ifndef EMU_MACHINE_COLLECTIVES_H
#define EMU_MACHINE_COLLECTIVES_H

#include "emu/machine/state.h"

enum warp_operation {
    WARP_SYNC,
    WARP_BALLOT,
    WARP_MATCH,
    WARP_SHUFFLE,
    WARP_SHUFFLE_UP,
    WARP_SHUFFLE_DOWN,
    WARP_SHUFFLE_XOR,
    WARP_ADD,
    WARP_MIN_UNSIGNED,
    WARP_MIN_SIGNED,
    WARP_MAX_UNSIGNED,
    WARP_MAX_SIGNED,
    WARP_AND,
    WARP_OR,
    WARP_XOR,
    // Those of <mma.h> and ptx.cuh: by all 32 lanes, from the same place and with the same value.
    WARP_MATRIX,
    WARP_MULTIPLY,
    WARP_ROWS,
    WARP_GROUP,  // of a whole warpgroup: see warpgroup.h
};

// Waits until all lanes of call.mask that have not returned have called with the same mask and
// operation.  pc is the place in the kernel.
//
// Returns  the lane's own call, with result and present filled in; valid until its next collective.
const struct lane_call *collective(uint64_t pc, struct lane_call call);

// A lane of this warp has returned, which may complete what other lanes wait for.
void collectives_exit(struct emu_machine *machine, uint32_t warp);

// Releases the lanes that wait in __activemask.  Returns true if there were any.
bool collectives_masks(struct emu_machine *machine);

// No thread can run.  If lanes wait for lanes of their masks, which then wait elsewhere, with
// another mask or operation or at a barrier of the block, reports both places and returns true.
bool collectives_deadlock(struct emu_machine *machine);

// No thread can run.  True if some wait for the rest of their warpgroup, none of which waits for an
// mbarrier: then what other threads wait for is only a consequence.
bool collectives_warpgroup_stuck(const struct emu_machine *machine);

#endif

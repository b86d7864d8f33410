// What the 128 threads of a warpgroup do together, and the multiplication among it.  The names that
// kernels use are in hooks/wgmma_calls.c.
#ifndef EMU_MACHINE_WARPGROUP_H
#define EMU_MACHINE_WARPGROUP_H

#include "emu/machine/state.h"
#include "emu/tensor/wgmma_layout.h"

// Waits until all threads of the warpgroup have made a call of this kind at this place.
//
// Returns  true for the last one of them, which does what there is to do and then calls
//          warpgroup_go_on; the others wait until then.  Ends the launch if the values differ.
bool warpgroup_meet(struct emu_machine *machine, const struct warpgroup_call *call, uint64_t pc);
void warpgroup_go_on(struct emu_machine *machine);

// The first thread of the warpgroup of the running one.
uint32_t warpgroup_first(const struct emu_machine *machine);

// A factor in shared memory, piece by piece.
struct warpgroup_factor {
    unsigned char piece[WGMMA_PIECES_MAX * WGMMA_PIECE_BYTES];
    unsigned char
        unset[WGMMA_PIECES_MAX * WGMMA_PIECE_BYTES];  // a byte that nothing has set: not 0
    bool lacks;                                       // there is such a byte
};

// Multiplies A, unless it is in registers, by B.  A sum of a row or column that lacks bytes becomes
// LANE_JUNK_BITS, and stays so while others are added to it.
void warpgroup_multiply(struct emu_machine *machine, const struct wgmma_call *call,
                        const struct warpgroup_factor factor[2]);

#endif

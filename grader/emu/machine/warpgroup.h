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

// Multiplies: `pieces` has those of A, unless it is in registers, and of B, one after the other.
void warpgroup_multiply(struct emu_machine *machine, const struct wgmma_call *call,
                        const unsigned char *const pieces[2]);

#endif

// A multiplication that the lanes of a warp have called together: their fragments become matrices,
// and the result becomes fragments.
#ifndef EMU_MACHINE_MATRIX_H
#define EMU_MACHINE_MATRIX_H

#include "emu/machine/state.h"
#include "emu/tensor/tensor.h"

// The elements that a lane passes, from these slots on.  D comes back where C was.
#define MATRIX_A 0
#define MATRIX_B 16
#define MATRIX_C 32

// All lanes of the warp have called with the same `value`: types, and code in the lower 32 bits.
void matrix_multiply(struct emu_machine *machine, uint32_t warp, uint64_t value);

#endif

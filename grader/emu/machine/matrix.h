// What the lanes of a warp have called together, on the elements of all of them: a multiplication,
// for which their fragments become matrices, and the result becomes fragments; and ldmatrix.
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

// ldmatrix: `value` has the number of matrices, 1, 2 or 4, and whether they are transposed.  Slots
// 0 and 1 of a lane hold the address of its row; from slot 0 on its elements come back, two in a
// slot.
#define MATRIX_ROWS_COUNT      7u
#define MATRIX_ROWS_TRANSPOSED 8u
void matrix_rows(struct emu_machine *machine, uint32_t warp, uint64_t value);

#endif

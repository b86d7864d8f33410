// One multiplication of small matrices on tensor cores, bit by bit.
#ifndef EMU_TENSOR_TENSOR_H
#define EMU_TENSOR_TENSOR_H

#include "emu/tensor/fragment.h"

// What kind of multiplication: D = A B + C, where C and D may differ in type.
struct tensor_call {
    struct fragment a, b, c, d;
    bool saturates;  // integers
};

// `code` is that of A (fragment_decode); `types` has the types of C and of D in 3 bits each, and
// then whether integers saturate.  Returns false if CUDA has no such multiplication.
bool tensor_call_decode(uint32_t code, uint32_t types, struct tensor_call *ret_call);

// The bits of the elements of each matrix, row by row.
struct tensor_operands {
    uint32_t a[FRAGMENT_AREA_MAX], b[FRAGMENT_AREA_MAX], c[FRAGMENT_AREA_MAX];
};

// Fills in the bits of D [m][n], row by row.
void tensor_multiply(const struct tensor_call *call, const struct tensor_operands *operands,
                     uint32_t ret_d[FRAGMENT_AREA_MAX]);

#endif

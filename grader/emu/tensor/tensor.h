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

// A number, and the exponent that it is aligned by: a product's is the sum of its factors', before
// its significand is normalized.
struct tensor_term {
    double value;
    int exponent;
};
void tensor_read(const uint32_t *bits, uint32_t count, enum fragment_type type,
                 struct tensor_term *ret_terms);

// One element of D, of k products that are taken `step` at once.
struct tensor_rule {
    enum fragment_type c, d;
    uint32_t k, step;
};
// The bits of that element: `sum` has those of C; a has a row of A, and every b_step-th of b a
// column of B.
uint32_t tensor_element(const struct tensor_rule *rule, const struct tensor_term *a,
                        const struct tensor_term *b, uint32_t b_step, uint32_t sum);

#endif

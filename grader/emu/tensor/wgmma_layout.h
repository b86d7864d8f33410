// wgmma: which multiplication a call is, and where its factors are in shared memory.
//
// A factor is read in pieces of 16 bytes, as many as two for each of its rows (of M, or N).  They
// hold elements that follow each other along K or, if the factor is transposed, along M or N.
//
// Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout", "Strides" and
// "Matrix Descriptor Format".
#ifndef EMU_TENSOR_WGMMA_LAYOUT_H
#define EMU_TENSOR_WGMMA_LAYOUT_H

#include "emu/tensor/tensor.h"

#define WGMMA_M           64
#define WGMMA_N_MAX       256
#define WGMMA_K_MAX       16
#define WGMMA_ROW_BYTES   32  // of K
#define WGMMA_PIECE_BYTES 16
#define WGMMA_LINE_ROWS   8  // that are next to each other in a layout
#define WGMMA_PIECES_MAX  (2 * WGMMA_N_MAX)

struct wgmma_call {
    enum fragment_type type;
    uint32_t n, k;
    bool a_in_registers;
    bool transposed[2];  // A, B
    bool adds;           // to the sums that are there
};

// What the shim passes: n, type, whether A is in registers, A is transposed, B is, and D is added
// to, in 9, 3, 1, 1, 1 and 1 bits from the lowest on.  Returns false if there is no such wgmma.
bool wgmma_decode(uint32_t code, struct wgmma_call *ret_call);

// What a descriptor says.  On the CPU device, where each array has 64 KiB or more to itself, its
// start is counted from that room's, and the array's number is in bits that cards do not use.
struct wgmma_factor {
    uint32_t array;
    uint32_t start, leading, stride;  // bytes
    uint32_t swizzle;                 // bytes: 0, 32, 64 or 128
    uint32_t base;                    // offset of the pattern, in rows of 128 bytes
};
#define WGMMA_ARRAY_SHIFT 52
#define WGMMA_ARRAYS_MAX  1024u  // that a descriptor has room for
struct wgmma_factor wgmma_factor_of(uint64_t descriptor);

// The bytes from the start of the array's room to piece `i` of a factor.
uint64_t wgmma_piece(const struct wgmma_factor *factor, bool transposed, uint32_t i);

// The bits of the elements of the rows, K by K, from their pieces one after the other.
void wgmma_elements(const struct wgmma_call *call, bool transposed, uint32_t rows,
                    const unsigned char *pieces, uint32_t *ret_bits);

// In lane `lane` of warp `warp` of the warpgroup: the number, in D [64][n], of its sum `i`; and, in
// A [64][k], of element `element` of its register `i`.
uint32_t wgmma_place_of_sum(const struct wgmma_call *call, uint32_t warp, uint32_t lane,
                            uint32_t i);
uint32_t wgmma_place_of_factor(const struct wgmma_call *call, uint32_t warp, uint32_t lane,
                               uint32_t i, uint32_t element);

// D = A B, or D += A B; d has the bits of float.
void wgmma_multiply(const struct wgmma_call *call, const uint32_t *a, const uint32_t *b,
                    uint32_t *d);

#endif

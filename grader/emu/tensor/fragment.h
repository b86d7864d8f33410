// How the elements of the small matrices that a warp multiplies on tensor cores are distributed
// over its lanes: the layouts of `wmma::fragment`, and those of mma.sync (16x8 sums).
//
// CUDA does not specify the former.  They are those of an H200 (sm_90; mma.sync's, which are
// documented for sm_80 and later, agree with them), so that a kernel that depends on them fails
// here no sooner than there.  Source: measured by loading matrices that hold their own indices
// (tests/gpu/tensor_h200.h); PTX ISA 9.7.14.
#ifndef EMU_TENSOR_FRAGMENT_H
#define EMU_TENSOR_FRAGMENT_H

#include <stdbool.h>
#include <stdint.h>

#define FRAGMENT_ELEMENTS_MAX 16   // that a lane holds
#define FRAGMENT_AREA_MAX     512  // elements of the whole matrix

enum fragment_use { FRAGMENT_A, FRAGMENT_B, FRAGMENT_SUM };
enum fragment_type {
    FRAGMENT_HALF,
    FRAGMENT_BF16,
    FRAGMENT_TF32,
    FRAGMENT_S8,
    FRAGMENT_U8,
    FRAGMENT_FLOAT,
    FRAGMENT_INT,
};

// The small matrices of a call: A is [m][k], B [k][n], the sums are [m][n].
struct fragment_shape {
    uint32_t m, n, k;
};

// One of them, as the kernel names it; see fragment_decode.
struct fragment {
    enum fragment_use use;
    enum fragment_type type;
    struct fragment_shape shape;
    bool columns;  // in memory it lies column by column
    // The rest follows from these.
    uint32_t elements;      // that a lane holds; half factors of wmma: 16, some of them copies
    uint32_t packed;        // elements in a register of 32 bits, from its lowest bit on; wmma: 1
    const uint16_t *place;  // of each of FRAGMENT_ELEMENTS_MAX of each lane: row * 64 + column
};

// What the shim passes: use, type, columns, m, n, k in 2, 3, 1, 6, 6 and 6 bits from the lowest on.
// Returns false if CUDA has no such fragment.
bool fragment_decode(uint32_t code, struct fragment *ret_fragment);

uint32_t fragment_rows(const struct fragment *fragment);
uint32_t fragment_columns(const struct fragment *fragment);
uint32_t fragment_element_bytes(const struct fragment *fragment);

// Another use or type of the same multiplication.  Returns false if CUDA has no such fragment.
bool fragment_of_call(const struct fragment *fragment, enum fragment_use use,
                      enum fragment_type type, struct fragment *ret_fragment);

// Where element `element` of lane `lane` is in the matrix.
static inline void fragment_place(const struct fragment *fragment, uint32_t lane, uint32_t element,
                                  uint32_t *ret_row, uint32_t *ret_column) {
    uint32_t place = fragment->place[lane * FRAGMENT_ELEMENTS_MAX + element];
    *ret_row = place / 64;
    *ret_column = place % 64;
}

// One load or store of a lane, of some that bring a fragment from memory or to it.
struct fragment_part {
    uint32_t line;   // row, or column if the matrix lies column by column
    uint32_t at;     // the first element of the line
    uint32_t bytes;  // 0: this lane takes no part
};
#define FRAGMENT_PARTS_MAX 16

// The loads or stores that nvcc makes (CUDA 13.0 for sm_90; read from its machine code): pieces of
// 8 lines of 16 bytes, of which each lane moves 4 bytes; factors of half and int8 in shared memory
// by ldmatrix, for which a lane names a whole line; 32-bit elements one by one or, where they are
// neighbours, in pairs.
//
// Returns  their number, the same for all lanes.
uint32_t fragment_parts(const struct fragment *fragment, bool shared, bool stores, uint32_t lane,
                        struct fragment_part ret_parts[FRAGMENT_PARTS_MAX]);

#endif

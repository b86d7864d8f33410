// Multiplications of small matrices on tensor cores, bit by bit, and how the elements of these
// matrices are distributed among the lanes of a warp, in fragments.  For wgmma: the multiplication
// that a call means, and the places of its factors in shared memory.
#ifndef EMU_TENSOR_TENSOR_CORES_H
#define EMU_TENSOR_TENSOR_CORES_H

#include <stdbool.h>
#include <stdint.h>

#define FRAGMENT_ELEMENTS_MAX 16   // that a lane holds
#define FRAGMENT_AREA_MAX     512  // elements of the whole matrix
#define FRAGMENT_EDGE_MAX     32   // its rows, and its columns

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

// One of these matrices, as the kernel names it; see fragment_decode.
struct fragment {
    enum fragment_use use;
    enum fragment_type type;
    struct fragment_shape shape;
    bool columns;  // column-major in memory
    // The members below follow from these.
    uint32_t elements;      // elements that a lane holds; half factors of wmma: 16, some are copies
    uint32_t packed;        // elements in a register of 32 bits, from its lowest bit on; wmma: 1
    const uint16_t *place;  // by lane and element (FRAGMENT_ELEMENTS_MAX each): row * 64 + column
};

// Decodes the shim's number: use, type, columns, m, n, k in 2, 3, 1, 6, 6 and 6 bits from the
// lowest on.
// Returns false if CUDA has no such fragment.
bool fragment_decode(uint32_t code, struct fragment *ret_fragment);

uint32_t fragment_rows(const struct fragment *fragment);
uint32_t fragment_columns(const struct fragment *fragment);
uint32_t fragment_element_bytes(const struct fragment *fragment);

// The place in the matrix of element `element` of lane `lane`.
static inline void fragment_place(const struct fragment *fragment, uint32_t lane, uint32_t element,
                                  uint32_t *ret_row, uint32_t *ret_column) {
    uint32_t place = fragment->place[lane * FRAGMENT_ELEMENTS_MAX + element];
    *ret_row = place / 64;
    *ret_column = place % 64;
}

// One of the loads or stores by which a lane moves its part of a fragment from or to memory.
struct fragment_part {
    uint32_t line;   // row, or column of a column-major matrix
    uint32_t at;     // the first element of the line
    uint32_t bytes;  // 0: this lane takes no part
};
#define FRAGMENT_PARTS_MAX 16

// The loads or stores that nvcc makes (CUDA 13.0 for sm_90; read from its machine code): pieces of
// 8 lines of 16 bytes, of which each lane moves 4 bytes; factors of half and int8 in shared memory
// by ldmatrix, for which a lane names a whole line; 32-bit elements one by one or, if they are
// neighbours, in pairs.
//
// Returns  their number, the same for all lanes.
uint32_t fragment_parts(const struct fragment *fragment, bool shared, bool stores, uint32_t lane,
                        struct fragment_part ret_parts[FRAGMENT_PARTS_MAX]);

// The kind of a multiplication D = A B + C, in which C and D may differ in type.
struct tensor_call {
    struct fragment a, b, c, d;
    bool saturates;  // integers
};

// `code` is the code of A (fragment_decode); `types` has the types of C and of D in 3 bits each,
// and then whether integers saturate.  Returns false if CUDA has no such multiplication.
bool tensor_call_decode(uint32_t code, uint32_t types, struct tensor_call *ret_call);

// The bits of the elements of each matrix, row by row.
struct tensor_operands {
    uint32_t a[FRAGMENT_AREA_MAX], b[FRAGMENT_AREA_MAX], c[FRAGMENT_AREA_MAX];
};

// Fills in the bits of D [m][n], row by row.
void tensor_multiply(const struct tensor_call *call, const struct tensor_operands *operands,
                     uint32_t ret_d[FRAGMENT_AREA_MAX]);

// One element of D, from k products that are added in steps of `step`.
struct tensor_rule {
    enum fragment_type c, d;
    uint32_t k, step;
};

#define WGMMA_M           64
#define WGMMA_N_MAX       256
#define WGMMA_K_MAX       16
#define WGMMA_ROW_BYTES   32  // of K
#define WGMMA_PIECE_BYTES 16
#define WGMMA_LINE_ROWS   8  // rows that are next to each other in a layout
#define WGMMA_PIECES_MAX  (2 * WGMMA_N_MAX)

struct wgmma_call {
    enum fragment_type type;
    uint32_t n, k;
    bool a_in_registers;
    bool transposed[2];  // A, B
    bool adds;           // D is added to, not replaced
};

// Decodes the shim's number: n, type, whether A is in registers, A is transposed, B is transposed,
// and D is added to, in 9, 3, 1, 1, 1 and 1 bits from the lowest on.  Returns false if there is no
// such wgmma.
bool wgmma_decode(uint32_t code, struct wgmma_call *ret_call);

// What a descriptor says.  On the CPU, where each array has a region of 64 KiB or more, the start
// is relative to that region, and the array's number is in bits that GPUs do not use.
struct wgmma_factor {
    uint32_t array;
    uint32_t start, leading, stride;  // bytes
    uint32_t swizzle;                 // bytes: 0, 32, 64 or 128
    uint32_t base;                    // offset of the pattern, in rows of 128 bytes
};
#define WGMMA_ARRAY_SHIFT 52
#define WGMMA_ARRAYS_MAX  1024u  // arrays that a descriptor can number
struct wgmma_factor wgmma_factor_of(uint64_t descriptor);

// The bytes from the start of the array's region to piece `i` of a factor.
uint64_t wgmma_piece(const struct wgmma_factor *factor, bool transposed, uint32_t i);

// Converts consecutive pieces to the bits of the elements, row by row with K elements each.
void wgmma_elements(const struct wgmma_call *call, bool transposed, uint32_t rows,
                    const unsigned char *pieces, uint32_t *ret_bits);

// For lane `lane` of warp `warp` of the warpgroup: the index in D [64][n] of its sum `i`; and the
// index in A [64][k] of element `element` of its register `i`.
uint32_t wgmma_place_of_sum(const struct wgmma_call *call, uint32_t warp, uint32_t lane,
                            uint32_t i);
uint32_t wgmma_place_of_factor(const struct wgmma_call *call, uint32_t warp, uint32_t lane,
                               uint32_t i, uint32_t element);

// D = A B, or D += A B; d has the bits of float.
void wgmma_multiply(const struct wgmma_call *call, const uint32_t *a, const uint32_t *b,
                    uint32_t *d);

#endif

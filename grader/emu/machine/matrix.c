// Fragments to matrices and back: see matrix.h.
#include "emu/machine/matrix.h"

#include <string.h>

#define REGISTER_BITS 32
#define ROW_BYTES     16  // of a matrix of ldmatrix
#define ROWS          8

// An element of one lane in its slots.
struct element {
    uint32_t *slot;  // that holds it …
    uint32_t shift;  // … from this bit on …
    uint32_t mask;   // … with these bits
    uint32_t index;  // in the matrix
};

static struct element element(struct thread *lanes, const struct fragment *fragment, uint32_t lane,
                              uint32_t i, uint32_t first_slot) {
    uint32_t row, column;
    uint32_t bits = REGISTER_BITS / fragment->packed;
    fragment_place(fragment, lane, i, &row, &column);
    return (struct element){.slot = &lanes[lane].matrix[first_slot + i / fragment->packed],
                            .shift = i % fragment->packed * bits,
                            .mask = UINT32_MAX >> (REGISTER_BITS - bits),
                            .index = row * fragment_columns(fragment) + column};
}

// Of an element that lanes hold twice, the first one counts.
static void gather(struct thread *lanes, const struct fragment *fragment, uint32_t first_slot,
                   uint32_t matrix[FRAGMENT_AREA_MAX]) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        for (uint32_t i = fragment->elements; i > 0; i--) {
            struct element from = element(lanes, fragment, lane, i - 1, first_slot);
            matrix[from.index] = *from.slot >> from.shift & from.mask;
        }
    }
}

static void scatter(const uint32_t matrix[FRAGMENT_AREA_MAX], const struct fragment *fragment,
                    uint32_t first_slot, struct thread *lanes) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        for (uint32_t i = 0; i < fragment->elements; i++) {
            struct element to = element(lanes, fragment, lane, i, first_slot);
            *to.slot = (*to.slot & ~(to.mask << to.shift)) | matrix[to.index] << to.shift;
        }
    }
}

void matrix_multiply(struct emu_machine *machine, uint32_t warp, uint64_t value) {
    // Static: the stack of a kernel's thread is small.
    static struct tensor_operands operands;
    static uint32_t d[FRAGMENT_AREA_MAX];
    struct thread *lanes = &machine->thread[warp * WARP_LANES];
    struct tensor_call call;
    (void)tensor_call_decode((uint32_t)value, (uint32_t)(value >> 32), &call);
    gather(lanes, &call.a, MATRIX_A, operands.a);
    gather(lanes, &call.b, MATRIX_B, operands.b);
    gather(lanes, &call.c, MATRIX_C, operands.c);
    tensor_multiply(&call, &operands, d);
    scatter(d, &call.d, MATRIX_C, lanes);
    if (machine->counts) {
        const struct fragment_shape *shape = &call.a.shape;
        machine->count->tensor_flops += 2 * (uint64_t)shape->m * shape->n * shape->k;
        machine->count->tensor_calls++;
    }
}

// Two elements of a lane, from the rows or columns that the lanes of this matrix name.
static uint32_t pair_of(const char *const rows[ROWS], uint32_t lane, bool transposed) {
    uint16_t two[2];
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t row = transposed ? lane % 4 * 2 + i : lane / 4;
        uint32_t column = transposed ? lane / 4 : lane % 4 * 2 + i;
        memcpy(&two[i], rows[row] + column * sizeof two[i], sizeof two[i]);
    }
    return (uint32_t)two[1] << 16 | two[0];
}

void matrix_rows(struct emu_machine *machine, uint32_t warp, uint64_t value) {
    struct thread *lanes = &machine->thread[warp * WARP_LANES];
    const char *rows[WARP_LANES];
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        memcpy(&rows[lane], &lanes[lane].matrix[0], sizeof rows[lane]);
    }
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        for (uint32_t i = 0; i < (value & MATRIX_ROWS_COUNT); i++) {
            lanes[lane].matrix[i] =
                pair_of(&rows[i * ROWS], lane, (value & MATRIX_ROWS_TRANSPOSED) != 0);
        }
    }
}

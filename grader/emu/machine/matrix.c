// Fragments to matrices and back: see matrix.h.
#include "emu/machine/matrix.h"

// The slot of an element of a matrix, of one lane.
static uint32_t *element(struct thread *lanes, const struct fragment *fragment, uint32_t lane,
                         uint32_t i, uint32_t first_slot, uint32_t *ret_index) {
    uint32_t row, column;
    fragment_place(fragment, lane, i, &row, &column);
    *ret_index = row * fragment_columns(fragment) + column;
    return &lanes[lane].matrix[first_slot + i];
}

// Of an element that lanes hold twice, the first one counts.
static void gather(struct thread *lanes, const struct fragment *fragment, uint32_t first_slot,
                   uint32_t matrix[FRAGMENT_AREA_MAX]) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        for (uint32_t i = fragment->elements; i > 0; i--) {
            uint32_t index;
            const uint32_t *bits = element(lanes, fragment, lane, i - 1, first_slot, &index);
            matrix[index] = *bits;
        }
    }
}

static void scatter(const uint32_t matrix[FRAGMENT_AREA_MAX], const struct fragment *fragment,
                    uint32_t first_slot, struct thread *lanes) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        for (uint32_t i = 0; i < fragment->elements; i++) {
            uint32_t index;
            uint32_t *bits = element(lanes, fragment, lane, i, first_slot, &index);
            *bits = matrix[index];
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
    }
}

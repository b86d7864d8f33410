// The layouts and the arithmetic of wgmma: see wgmma_layout.h.
#include "emu/tensor/wgmma_layout.h"

#include <string.h>

#include "emu/tensor/box.h"

// What may differ from card to card.  Not measured: those of mma.sync on an H200.
#define PRODUCTS_A_STEP_16 16
#define PRODUCTS_A_STEP_32 8

#define BASE_ROW_BYTES 128

static uint32_t element_bytes(const struct wgmma_call *call) {
    return call->type == FRAGMENT_TF32 ? 4 : 2;
}

bool wgmma_decode(uint32_t code, struct wgmma_call *ret_call) {
    struct wgmma_call call = {.n = code & 511,
                              .type = (enum fragment_type)(code >> 9 & 7),
                              .a_in_registers = (code >> 12 & 1) != 0,
                              .transposed = {(code >> 13 & 1) != 0, (code >> 14 & 1) != 0},
                              .adds = (code >> 15 & 1) != 0};
    bool transposes = call.transposed[0] || call.transposed[1];
    call.k = WGMMA_ROW_BYTES / element_bytes(&call);
    *ret_call = call;
    return call.n >= 8 && call.n <= WGMMA_N_MAX && call.n % 8 == 0 && code >> 16 == 0 &&
           call.type <= FRAGMENT_TF32 && !(call.type == FRAGMENT_TF32 && transposes) &&
           !(call.a_in_registers && call.transposed[0]);
}

struct wgmma_factor wgmma_factor_of(uint64_t descriptor) {
    static const uint32_t swizzles[4] = {0, 128, 64, 32};
    return (struct wgmma_factor){
        .array = (uint32_t)(descriptor >> WGMMA_ARRAY_SHIFT) % WGMMA_ARRAYS_MAX,
        .start = (uint32_t)(descriptor & 0x3fff) << 4,
        .leading = (uint32_t)(descriptor >> 16 & 0x3fff) << 4,
        .stride = (uint32_t)(descriptor >> 32 & 0x3fff) << 4,
        .base = (uint32_t)(descriptor >> 49 & 7),
        .swizzle = swizzles[descriptor >> 62],
    };
}

uint64_t wgmma_piece(const struct wgmma_factor *factor, bool transposed, uint32_t i) {
    uint32_t line = factor->swizzle > 0 ? factor->swizzle : WGMMA_PIECE_BYTES;
    uint32_t across = line / WGMMA_PIECE_BYTES;
    uint64_t at = factor->start;
    if (!transposed) {
        uint32_t row = i / 2;
        at += row % WGMMA_LINE_ROWS * line + (uint64_t)(row / WGMMA_LINE_ROWS) * factor->stride;
        at += i % 2 * (factor->swizzle > 0 ? WGMMA_PIECE_BYTES : factor->leading);
    } else {
        uint32_t k = i % WGMMA_K_MAX;
        uint32_t unit = i / WGMMA_K_MAX;  // 8 elements of M or N
        uint64_t units = factor->swizzle > 0 ? factor->leading : factor->stride;
        uint64_t rows = factor->swizzle > 0 ? factor->stride : factor->leading;
        at += k % WGMMA_LINE_ROWS * line + k / WGMMA_LINE_ROWS * rows;
        at += unit % across * WGMMA_PIECE_BYTES + unit / across * units;
    }
    uint64_t in_pattern = at - factor->base * (uint64_t)BASE_ROW_BYTES;
    return at ^ in_pattern ^ box_swizzle(in_pattern, factor->swizzle);
}

void wgmma_elements(const struct wgmma_call *call, bool transposed, uint32_t rows,
                    const unsigned char *pieces, uint32_t *ret_bits) {
    uint32_t bytes = element_bytes(call);
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t k = 0; k < call->k; k++) {
            uint32_t at = transposed
                              ? (row / 8 * WGMMA_K_MAX + k) * WGMMA_PIECE_BYTES + row % 8 * bytes
                              : row * WGMMA_ROW_BYTES + k * bytes;
            uint32_t bits = 0;
            memcpy(&bits, pieces + at, bytes);
            ret_bits[row * call->k + k] = bits;
        }
    }
}

uint32_t wgmma_place_of_sum(const struct wgmma_call *call, uint32_t warp, uint32_t lane,
                            uint32_t i) {
    uint32_t row = 16 * warp + lane / 4 + 8 * (i / 2 % 2);
    return row * call->n + 8 * (i / 4) + 2 * (lane % 4) + i % 2;
}

uint32_t wgmma_place_of_factor(const struct wgmma_call *call, uint32_t warp, uint32_t lane,
                               uint32_t i, uint32_t element) {
    uint32_t each = 4 / element_bytes(call);
    uint32_t row = 16 * warp + lane / 4 + 8 * (i % 2);
    return row * call->k + i / 2 * (4 * each) + lane % 4 * each + element;
}

void wgmma_multiply(const struct wgmma_call *call, const uint32_t *a, const uint32_t *b,
                    uint32_t *d) {
    // Static: a kernel's threads have small stacks.
    static struct tensor_term left[WGMMA_M * WGMMA_K_MAX], right[WGMMA_N_MAX * WGMMA_K_MAX];
    const struct tensor_rule rule = {FRAGMENT_FLOAT, FRAGMENT_FLOAT, call->k,
                                     call->type == FRAGMENT_TF32 ? PRODUCTS_A_STEP_32
                                                                 : PRODUCTS_A_STEP_16};
    tensor_read(a, WGMMA_M * call->k, call->type, left);
    tensor_read(b, call->n * call->k, call->type, right);
    for (uint32_t row = 0; row < WGMMA_M; row++) {
        for (uint32_t column = 0; column < call->n; column++) {
            uint32_t *sum = &d[row * call->n + column];
            *sum = tensor_element(&rule, &left[row * call->k], &right[column * call->k], 1,
                                  call->adds ? *sum : 0);
        }
    }
}

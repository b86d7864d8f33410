// A box is a list of pieces, whose places follow from their numbers.
#include "emu/tensor/tensor_box.h"

uint64_t box_bytes(const struct plan_tensor *tensor) {
    uint64_t bytes = tensor_element_bytes(tensor->type);
    for (uint32_t i = 0; i < tensor->rank; i++) {
        bytes *= tensor->box[i];
    }
    return bytes;
}

static uint32_t row_bytes(const struct plan_tensor *tensor) {
    return tensor->box[0] * tensor_element_bytes(tensor->type);
}

bool box_has_gaps(const struct plan_tensor *tensor) {
    return row_bytes(tensor) < tensor->swizzle;
}

struct box_piece box_piece(const struct plan_tensor *tensor, const int32_t at[TENSOR_RANK_MAX],
                           uint64_t shared, uint32_t number) {
    int64_t element = tensor_element_bytes(tensor->type);
    uint32_t row_pieces = row_bytes(tensor) / BOX_PIECE_BYTES;
    uint32_t row = number / row_pieces;
    uint32_t from = number % row_pieces * BOX_PIECE_BYTES;  // of the row
    uint64_t pitch = box_has_gaps(tensor) ? tensor->swizzle : row_bytes(tensor);
    uint64_t place = shared + row * pitch + from;
    int64_t column = at[0] * element + from;
    int64_t left = (int64_t)tensor->size[0] * element - column;
    bool inside = column >= 0 && left > 0;
    uint64_t offset = (uint64_t)column;
    for (uint32_t i = 1; i < tensor->rank; i++) {
        int64_t index = (int64_t)at[i] + row % tensor->box[i];
        inside = inside && index >= 0 && (uint64_t)index < tensor->size[i];
        offset += (uint64_t)index * tensor->stride[i - 1];
        row /= tensor->box[i];
    }
    return (struct box_piece){.shared = box_swizzle(place, tensor->swizzle),
                              .offset = inside ? offset : 0,
                              .inside = !inside                           ? 0
                                        : left < (int64_t)BOX_PIECE_BYTES ? (uint32_t)left
                                                                          : BOX_PIECE_BYTES};
}

// The boxes that bulk tensor copies move, and the places of their elements.  Pure.
//
// A copy moves pieces of 16 bytes.  The pieces of a box follow one another in shared memory, the
// contiguous dimension first, and each is then moved by the swizzle.  Rows that are shorter than
// the swizzle have a gap after them: each row begins `swizzle` bytes after the one before.
//
// Source  CUDA C++ Programming Guide, "Tensor Memory Access"; CUDA Driver API,
//         cuTensorMapEncodeTiled; the gaps were seen on an H200.
#ifndef EMU_TENSOR_TENSOR_BOX_H
#define EMU_TENSOR_TENSOR_BOX_H

#include <stdbool.h>

#include "emu/wire/launch_plan.h"

#define BOX_PIECE_BYTES     16u
#define BOX_ALIGNMENT_BYTES 128u  // of a box in shared memory

struct box_piece {
    uint64_t shared;  // address
    uint64_t offset;  // bytes from the start of the tensor; only if any byte is inside
    uint32_t inside;  // its bytes that are inside the tensor: its first ones
};

// The bytes of a box, a multiple of BOX_PIECE_BYTES, without gaps.
uint64_t box_bytes(const struct plan_tensor *tensor);

// Whether there are gaps after its rows.
bool box_has_gaps(const struct plan_tensor *tensor);

// A piece of the box at these coordinates whose start in shared memory is `shared`, a multiple of
// BOX_ALIGNMENT_BYTES.  The first coordinate is a multiple of BOX_PIECE_BYTES.
struct box_piece box_piece(const struct plan_tensor *tensor, const int32_t at[TENSOR_RANK_MAX],
                           uint64_t shared, uint32_t number);

// Where a piece of 16 bytes goes: 128 XORs bits 4 to 6 of its address with bits 7 to 9, 64 bits 4
// and 5 with bits 7 and 8, and 32 bit 4 with bit 7.
static inline uint64_t box_swizzle(uint64_t address, uint32_t swizzle) {
    return swizzle == 0 ? address : address ^ (address >> 3 & (swizzle - BOX_PIECE_BYTES));
}

#endif

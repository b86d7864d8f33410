// Collective operations of the lanes of a warp, and of the 128 threads of a warpgroup.  The names
// that kernels use are in hooks/lane_calls.c and hooks/wgmma_calls.c.
#ifndef EMU_MACHINE_COLLECTIVES_H
#define EMU_MACHINE_COLLECTIVES_H

#include "emu/machine/machine_state.h"
#include "emu/tensor/tensor_cores.h"

enum warp_operation {
    WARP_SYNC,
    WARP_BALLOT,
    WARP_MATCH,
    WARP_SHUFFLE,
    WARP_SHUFFLE_UP,
    WARP_SHUFFLE_DOWN,
    WARP_SHUFFLE_XOR,
    WARP_ADD,
    WARP_MIN_UNSIGNED,
    WARP_MIN_SIGNED,
    WARP_MAX_UNSIGNED,
    WARP_MAX_SIGNED,
    WARP_AND,
    WARP_OR,
    WARP_XOR,
    // The operations of <mma.h> and ptx.cuh: by all 32 lanes, from the same place and with the same
    // value.
    WARP_MATRIX,
    WARP_MULTIPLY,
    WARP_ROWS,
    WARP_GROUP,  // of a whole warpgroup: see collectives.h
};

// Waits until all lanes of call.mask that have not returned have called with the same mask and
// operation.  pc is the place in the kernel.
//
// Returns  the lane's own call, with result and present filled in; valid until its next collective.
const struct lane_call *collective(uint64_t pc, struct lane_call call);

// A lane of this warp has returned, which may complete a collective that other lanes wait in.
void collectives_exit(struct emu_machine *machine, uint32_t warp);

// Releases the lanes that wait in __activemask.  Returns true if there were any.
bool collectives_masks(struct emu_machine *machine);

// Called if no thread can run.  If lanes wait for other lanes of their mask that wait elsewhere
// (with another mask or operation, or at a barrier of the block), reports both places and returns
// true.
bool collectives_deadlock(struct emu_machine *machine);

// Called if no thread can run.  True if some wait for the rest of their warpgroup, and no thread of
// that rest waits for an mbarrier: then the waits of other threads are only a consequence.
bool collectives_warpgroup_stuck(const struct emu_machine *machine);

// The elements that a lane passes, from these slots on.  D is returned in the slots of C.
#define MATRIX_A 0
#define MATRIX_B 16
#define MATRIX_C 32

// All lanes of the warp have called with the same `value`: the types, and in the lower 32 bits the
// code.
void matrix_multiply(struct emu_machine *machine, uint32_t warp, uint64_t value);

// ldmatrix: `value` has the number of matrices, 1, 2 or 4, and whether they are transposed.  Slots
// 0 and 1 of a lane hold the address of its row; its elements are returned from slot 0 on, two in a
// slot.
#define MATRIX_ROWS_COUNT      7u
#define MATRIX_ROWS_TRANSPOSED 8u
void matrix_rows(struct emu_machine *machine, uint32_t warp, uint64_t value);

// Waits until all threads of the warpgroup have made a call of this kind at this place.
//
// Returns  true for the last of them, which does the work and then calls warpgroup_go_on; the
//          others wait until then.  Ends the launch if the values differ.
bool warpgroup_meet(struct emu_machine *machine, const struct warpgroup_call *call, uint64_t pc);
void warpgroup_go_on(struct emu_machine *machine);

// The first thread of the running thread's warpgroup.
uint32_t warpgroup_first(const struct emu_machine *machine);

// A factor in shared memory, piece by piece.
struct warpgroup_factor {
    unsigned char piece[WGMMA_PIECES_MAX * WGMMA_PIECE_BYTES];
    unsigned char unset[WGMMA_PIECES_MAX * WGMMA_PIECE_BYTES];  // not 0: nothing has set this byte
    bool lacks;                                                 // there is such a byte
};

// Multiplies A, unless it is in registers, by B.  A sum from a row or column with missing bytes
// becomes LANE_JUNK_BITS, and stays so when more is added to it.
void warpgroup_multiply(struct emu_machine *machine, const struct wgmma_call *call,
                        const struct warpgroup_factor factor[2]);

#endif

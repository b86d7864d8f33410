// The memory of the race checker: which threads last read and wrote each unit of kernel memory.
//
// A unit is a 4-byte word.  If an access to the space is smaller or crosses words, a unit is a byte
// from then on.  Nothing is cleared between phases, blocks or launches: a slot contains the epoch
// of its access, and slots older than the interval that matters are dead.
#ifndef EMU_CHECK_RACE_SHADOW_H
#define EMU_CHECK_RACE_SHADOW_H

#include "base/error.h"
#include "emu/memory/events.h"
#include "emu/memory/shared_map.h"

// One access: epoch (32 bits), site (16), flags (6), thread (10).  Later accesses have greater
// slots; 0 is none.
#define SLOT_EPOCH_SHIFT 32
#define SLOT_SITE_SHIFT  16
#define SLOT_THREAD      0x03ffu
#define SLOT_WARP        0x03e0u  // the bits of SLOT_THREAD that number the warp
#define SLOT_ATOMIC      0x0400u
#define SLOT_TWO_WARPS   0x0800u  // of a second slot: the two are of two warps of one block
#define SLOT_BLOCK_SCOPE 0x2000u  // with SLOT_ATOMIC: plain to threads of other blocks
#define SLOT_TWO_BLOCKS  0x1000u  // of a second slot: the two are of two blocks
#define SLOT_BULK        0x4000u  // by a bulk copy
#define SLOT_STRONG      0x8000u  // no race with another strong access; only with fences

// Up to two unordered accesses; second is alive only if first is.  Two of different warps are
// enough, because no later thread can be ordered after both without a barrier.  Two of different
// blocks are enough for the whole launch.
struct race_cell {
    uint64_t first;
    uint64_t second;
};

struct race_shadow {
    struct race_cell *reads;   // by unit, see race_unit
    struct race_cell *writes;  // plain and atomic
    uint64_t alive;    // slots below are dead: start of the phase (shared), of the launch (global)
    uint64_t written;  // bit per array: written since the launch began
    uint32_t shift;    // unit = byte >> shift: 2 or 0
    uint32_t spread;   // see race_unit; 0 for shared memory
    uint64_t start[SHARED_ARRAYS_MAX];  // first byte of each array, in shadow order
    uint64_t bytes;                     // of all arrays, with gaps
    struct shared_map map;              // shared memory: of one block
    uint64_t bytes_mapped;              // of each of the two planes
};

// The index of the cells of a byte.  If the rows of a matrix are a power of two apart, the cells of
// a column would share one set of the processor's cache.  So, in global memory, the line number is
// mixed with its own higher bits.
static inline uint64_t race_unit(const struct race_shadow *shadow, uint32_t array, int64_t offset) {
    uint64_t unit = (shadow->start[array] + (uint64_t)offset) >> shadow->shift;
    return unit ^ (unit >> 6 & shadow->spread);
}

// The number of a unit among those of both spaces, for its loads or its stores.
static inline uint64_t race_shadow_word(uint64_t unit, enum memory_space space, bool writes) {
    return unit << 2 | (uint64_t)(space == SPACE_SHARED) << 1 | writes;
}

// Lays out the arrays of a launch and maps memory for them, with a cell per byte in the worst case.
// Errors: STATUS_NO_MEMORY.
enum status race_shadow_layout(struct race_shadow *shadow, enum memory_space space,
                               const struct launch_shape *shape, struct error *err);

// From now on the arrays are those of the block with this rank in its cluster.
void race_shadow_view(struct race_shadow *shadow, uint32_t rank);

// Changes the unit from words to bytes; every byte of a word inherits its slots.
void race_shadow_refine(struct race_shadow *shadow);

// Forgets everything and unmaps the memory.
void race_shadow_done(struct race_shadow *shadow);

#endif

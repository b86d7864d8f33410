// The events that the machine passes to its observers.  The machine runs the kernel; checkers and
// the counter observe it.
//
// An observer never changes the run and never calls the machine.  The functions of an observer are
// named after its module and the event (race_access, bounds_access, race_block_begin …).
// hooks/touch.h passes accesses, machine/observers.c the begin of a launch and the begin and end of
// a block, machine/schedule.c the other events.  Events of one launch come in program order of one
// process: block_begin, then accesses, arrivals and exits of that block's threads in the order in
// which the machine ran them, then block_end; blocks come one by one.
#ifndef EMU_MEMORY_EVENTS_H
#define EMU_MEMORY_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/wire/counts.h"
#include "emu/wire/finding.h"

struct follow;

// The shape of a launch; constant from launch_begin to launch_end.
struct launch_shape {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t thread_count;                     // of a block
    uint32_t cluster[3];                       // blocks
    uint32_t cluster_blocks;                   // 0: blocks run one after the other
    uint64_t shared_bytes;                     // dynamic shared memory requested
    uint32_t inputs;                           // bit per array: the kernel may only read it
    uint64_t global_bytes[MEMORY_ARRAYS_MAX];  // sizes of the arrays and the workspace
    uint32_t array_count;
    const struct shared_array_table *shared;  // with the dynamic arrays' bytes filled in
    const uint64_t *alignment;                // see emu/check/address_checks.h; NULL for none
    bool dependent;                           // may begin before earlier launches have ended
    struct follow *follow;                    // the order of its threads; NULL: not followed
};

// `array` may be one of a program, which has no inputs.
static inline bool memory_is_input(uint32_t inputs, uint32_t array) {
    return inputs >> (array & 31) & 1;
}

// In copy_bytes: part of a struct of unknown size, at an unknown offset.
#define COPY_OF_UNKNOWN UINT32_MAX

// One load, store or atomic operation of one thread, before it happens.
struct access {
    uint64_t pc;  // return address of the callback: the place in the kernel
    uint64_t address;
    int64_t offset;  // bytes from the start of the array; outside [0, array_bytes) if out of bounds
    uint64_t array_bytes;
    uint32_t array;       // by space: enum global_array, index in the table, or ARRAY_NONE
    uint32_t bytes;       // 1, 2, 4, 8 or 16
    uint32_t thread;      // linear index in the block: x + y * block.x + z * block.x * block.y
    uint32_t site;        // sites_number() of pc: a small number for the same place
    uint32_t copy_bytes;  // if it is part of a struct copy: the size of the struct; else 0
    uint32_t copy_at;     // offset in the struct
    uint8_t space;        // enum memory_space
    uint8_t kind;         // enum access_kind
    bool in_bounds;       // the whole access is inside the array
    bool strong;          // volatile, in a file with fences
};

// Copies an access member by member.  Inline code passes a copy to the calls of its rare cases, so
// that in the frequent case the access stays in registers.
static inline struct access access_copy(const struct access *access) {
    return (struct access){
        .pc = access->pc,
        .address = access->address,
        .offset = access->offset,
        .array_bytes = access->array_bytes,
        .array = access->array,
        .bytes = access->bytes,
        .thread = access->thread,
        .site = access->site,
        .copy_bytes = access->copy_bytes,
        .copy_at = access->copy_at,
        .space = access->space,
        .kind = access->kind,
        .in_bounds = access->in_bounds,
        .strong = access->strong,
    };
}

// The running block.
struct block_place {
    uint32_t index[3];  // blockIdx
    uint64_t linear;    // x + y * grid.x + z * grid.x * grid.y
};

#endif

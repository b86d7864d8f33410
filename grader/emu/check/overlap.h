// Checker: a dependent launch (LAUNCH_DEPENDENT) may run while the launches before it still do.
//
// Until a thread has waited (griddepcontrol.wait), or is ordered after one that has, it may not use
// memory that such a launch stores to, nor store to memory that such a launch uses.  The wait
// covers only the previous launch; it covers earlier ones only if some thread of the previous
// launch has waited for them.  The launches run one after the other on this device, so their
// accesses are kept by byte, with the number of the launch.
//
// Source: PTX ISA, "griddepcontrol"; CUDA C++ Programming Guide, "Programmatic Dependent Launch and
// Synchronization".
#ifndef EMU_CHECK_OVERLAP_H
#define EMU_CHECK_OVERLAP_H

#include "base/error.h"
#include "base/limits.h"
#include "emu/check/follow.h"
#include "emu/memory/events.h"
#include "emu/wire/finding.h"

// A place where a launch accesses an array; the first few places of each array are kept.
#define OVERLAP_PLACES_MAX 15u
struct overlap_place {
    uint64_t pc;  // 0: none
    uint32_t launch;
    uint32_t kind;  // enum access_kind
};

struct overlap {
    uint16_t *used;   // by byte of the arena: which launches used it, see overlap.c
    uint64_t arena;   // address of the arena
    uint32_t number;  // launches of this product that have begun
    // Bits of launches that may still run: before this launch has waited, and after.
    uint32_t running, running_after;
    bool waits;  // a thread of this launch has waited
    struct overlap_place place[GLOBAL_ARRAY_COUNT][OVERLAP_PLACES_MAX];
    // Of this launch.
    const struct launch_shape *shape;
    const struct block_place *block;
    struct findings *findings;
};

// Begins a product: nothing is used.  A new overlap is made if *overlap is NULL.  Errors:
// STATUS_NO_MEMORY.
enum status overlap_begin(struct overlap **overlap, uint64_t arena, uint64_t bytes,
                          struct error *err);

// The next launch of the product, whose accesses are followed.  Never fails.
enum status overlap_launch_begin(void *observer, const struct launch_shape *shape,
                                 struct findings *findings, struct error *err);
void overlap_block_begin(void *observer, const struct block_place *place);

// The thread executes griddepcontrol.wait.
void overlap_wait(struct overlap *overlap, uint32_t thread);

// An access of global memory, in bounds.
void overlap_access(struct overlap *overlap, const struct access *access);

#endif

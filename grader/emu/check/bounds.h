// Checker: every access must be inside its array, and no thread may write to the inputs.
#ifndef EMU_CHECK_BOUNDS_H
#define EMU_CHECK_BOUNDS_H

#include "emu/memory/events.h"
#include "emu/wire/findings.h"

// Reports what is wrong with an access.  Only for bounds_access.
void bounds_report(struct findings *findings, const struct launch_shape *shape,
                   const struct block_place *place, const struct access *access);

// Reports FINDING_OUT_OF_BOUNDS for an access outside its array, and FINDING_INPUT_WRITTEN for one
// inside an input that writes; both are errors.
//
// Returns  true if the access is outside its array: the machine decides whether it may happen.
static inline bool bounds_access(struct findings *findings, const struct launch_shape *shape,
                                 const struct block_place *place, const struct access *access) {
    bool writes_input = access->kind != ACCESS_READ && access->space == SPACE_GLOBAL &&
                        (shape->inputs >> access->array & 1);
    if (__builtin_expect(!access->in_bounds || writes_input, 0)) {
        struct access copy = access_copy(access);
        bounds_report(findings, shape, place, &copy);
    }
    return !access->in_bounds;
}

// Reports an index outside one dimension of an array, `tile[ty][16]` of float [16][16]: the address
// may still be inside the array.  The compiler's own check calls this without an address, so array
// is ARRAY_NONE.
//
// Units  index and extent in elements of that dimension; the finding holds them as offset and
// array_bytes.
void bounds_index(struct findings *findings, const struct launch_shape *shape,
                  const struct block_place *place, uint32_t thread, uint64_t pc, int64_t index,
                  uint64_t extent);

// Reports an access that is not wholly inside a local array or variable of the thread.
void bounds_local(struct findings *findings, const struct launch_shape *shape,
                  const struct block_place *place, uint32_t thread, uint64_t pc,
                  enum access_kind kind);

#endif

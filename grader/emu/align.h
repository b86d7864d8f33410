// Checker: an access must lie at a multiple of its size.  A GPU stops the kernel where it does not.
#ifndef EMU_ALIGN_H
#define EMU_ALIGN_H

#include "emu/events.h"
#include "emu/findings.h"

// Reports FINDING_MISALIGNED, an error, for access.  For align_access; not for callers.
void align_report(struct findings *findings, const struct launch_shape *shape,
                  const struct block_place *place, const struct access *access);

// Returns true where the access is misaligned (and has been reported).  Call it for accesses whose
// type asks for alignment by their size, not for copies of packed or byte-wise data.
static inline bool align_access(struct findings *findings, const struct launch_shape *shape,
                                const struct block_place *place, const struct access *access) {
    if (__builtin_expect((access->address & (access->bytes - 1)) == 0, 1)) {
        return false;
    }
    struct access copy = access_copy(access);
    align_report(findings, shape, place, &copy);
    return true;
}

#endif

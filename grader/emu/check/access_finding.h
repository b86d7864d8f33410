// A finding about one access, with all that the access says; its observer adds the rest.
#ifndef EMU_CHECK_ACCESS_FINDING_H
#define EMU_CHECK_ACCESS_FINDING_H

#include "emu/memory/events.h"
#include "emu/wire/finding.h"

// An error of this kind.  The thread is left at 0: findings_thread divides, and findings that come
// by the million may be known already (findings_repeat).
static inline struct finding access_finding(enum finding_kind kind, const struct block_place *place,
                                            const struct access *access) {
    return (struct finding){
        .kind = kind,
        .severity = SEVERITY_ERROR,
        .pc = access->pc,
        .space = access->space,
        .array = access->array,
        .offset = access->offset,
        .array_bytes = access->array_bytes,
        .access = access->kind,
        .access_bytes = access->bytes,
        .block = {place->index[0], place->index[1], place->index[2]},
    };
}

#endif

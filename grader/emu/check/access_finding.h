// A finding about one access, with all that the access tells; the observer adds the rest.
#ifndef EMU_CHECK_ACCESS_FINDING_H
#define EMU_CHECK_ACCESS_FINDING_H

#include "emu/memory/events.h"
#include "emu/wire/finding.h"

// An error of this kind.  The thread stays 0 here: findings_thread divides, which is too slow for
// findings that come by the million and may be known already (findings_repeat).
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

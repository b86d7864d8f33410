// What the race checker says about two accesses that nothing orders.
#ifndef EMU_CHECK_RACE_REPORT_H
#define EMU_CHECK_RACE_REPORT_H

#include "emu/check/race.h"

// How far apart the threads of two unordered accesses are; ORDERED (0) if the accesses are ordered.
enum race_distance { ORDERED, ONE_WARP, TWO_WARPS, TWO_BLOCKS };

static inline uint32_t slot_epoch(uint64_t slot) {
    return (uint32_t)(slot >> SLOT_EPOCH_SHIFT);
}

static inline uint32_t slot_site(uint64_t slot) {
    return slot >> SLOT_SITE_SHIFT & 0xffff;
}

// The block of an epoch of this launch, and the access in a slot.
const struct race_block *race_block_of(const struct race *race, uint32_t epoch);
struct follow_access race_access_of(const struct race *race, uint64_t slot);

// The race of the access in slot, of kind slot_kind, with `access`, at offset of its array.
struct finding race_finding(const struct race *race, uint64_t slot, enum access_kind slot_kind,
                            const struct access *access, int64_t offset,
                            enum race_distance distance, enum finding_severity severity,
                            uint32_t flags);

// Reports it.
void race_report(struct race *race, uint64_t slot, enum access_kind slot_kind,
                 const struct access *access, int64_t offset, enum race_distance distance,
                 enum finding_severity severity, uint32_t flags);

#endif

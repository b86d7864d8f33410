// Who the two threads are, which of the two accesses comes first, and what they lack.
#include "emu/check/race_report.h"

#include <string.h>

const struct race_block *race_block_of(const struct race *race, uint32_t epoch) {
    uint64_t low = 0;
    uint64_t high = race->block_count;
    while (low + 1 < high) {
        uint64_t middle = (low + high) / 2;
        if (race->block[middle].epoch <= epoch) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &race->block[low];
}

struct follow_access race_access_of(const struct race *race, uint64_t slot) {
    return (struct follow_access){.block = race_block_of(race, slot_epoch(slot))->linear,
                                  .thread = slot & SLOT_THREAD,
                                  .epoch = slot_epoch(slot)};
}

// True if a thread reaches the place of the later access before that of the earlier one.
static bool is_reversed(const struct race *race, uint32_t earlier_site, uint32_t later_site,
                        enum race_distance distance) {
    if (distance == TWO_BLOCKS) {
        return earlier_site > later_site;  // sites are numbered in the order of their first use
    }
    return race->site[earlier_site].order > race->site[later_site].order;
}

static void swap32(uint32_t *a, uint32_t *b) {
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

static void fill_who(const struct race *race, uint64_t slot, const struct access *access,
                     enum race_distance distance, struct finding *finding) {
    const uint32_t *block =
        distance == TWO_BLOCKS ? race_block_of(race, slot_epoch(slot))->index : race->place.index;
    memcpy(finding->block, block, sizeof finding->block);
    memcpy(finding->other_block, race->place.index, sizeof finding->other_block);
    findings_thread(race->shape->block, slot & SLOT_THREAD, finding->thread);
    findings_thread(race->shape->block, access->thread, finding->other_thread);
}

static void swap_sides(struct finding *finding) {
    swap32(&finding->access, &finding->other_access);
    for (int i = 0; i < 3; i++) {
        swap32(&finding->block[i], &finding->other_block[i]);
        swap32(&finding->thread[i], &finding->other_thread[i]);
    }
}

// True if a lane of the thread in slot, a load, has handed back what the running thread stores to,
// and that thread has handed on nothing since the last barrier, not even to its lane.
static bool lane_handed_back(const struct race *race, uint64_t slot, enum access_kind slot_kind,
                             const struct access *access, int64_t offset) {
    const struct race_shadow *shadow = &race->shadow[SPACE_SHARED];
    if (!race->lane_arrived || slot_kind != ACCESS_READ || access->kind != ACCESS_WRITE ||
        access->space != SPACE_SHARED || slot_epoch(slot) < race->block_start) {
        return false;
    }
    const struct race_cell *filled = &shadow->writes[race_unit(shadow, access->array, offset)];
    const struct follow_access begin = {
        .block = race->place.linear, .thread = slot & SLOT_THREAD, .epoch = race->phase_start};
    uint64_t last = filled->first > filled->second ? filled->first : filled->second;
    return !follow_is_ordered(race->follow, &begin, access->thread) &&
           race->lane_arrived(race->asked, begin.thread, slot_epoch(last));
}

// What the access in slot and this one lack.  A flag is stored to after a fence; two threads that
// store the same one lack more than that.
static enum race_gap gap_of(const struct race *race, uint64_t slot, enum access_kind slot_kind,
                            const struct access *access, int64_t offset) {
    bool two_stores = slot_kind == ACCESS_WRITE && access->kind == ACCESS_WRITE;
    if (!race->follow || (two_stores && slot & SLOT_STRONG && access->strong)) {
        return RACE_UNORDERED;
    }
    struct follow_access earlier = race_access_of(race, slot);
    bool in_cluster = race->shape->cluster_blocks > 0 && earlier.block != race->place.linear &&
                      slot >= race->shadow[SPACE_SHARED].alive;
    bool flag = access->strong &&
                (slot & SLOT_STRONG || follow_stored(race->follow, access->address,
                                                     access->space == SPACE_SHARED, &earlier));
    enum race_gap gap = flag ? RACE_OF_FLAG : follow_gap(race->follow, &earlier, access->thread);
    if (gap == RACE_AMONG_PHASES && lane_handed_back(race, slot, slot_kind, access, offset)) {
        return RACE_LACKS_WARP;
    }
    bool order = gap != RACE_RELAXED && (gap == RACE_UNORDERED || access->space == SPACE_SHARED);
    return in_cluster && order ? RACE_IN_CLUSTER : gap;
}

struct finding race_finding(const struct race *race, uint64_t slot, enum access_kind slot_kind,
                            const struct access *access, int64_t offset,
                            enum race_distance distance, enum finding_severity severity,
                            uint32_t flags) {
    uint64_t pc = sites_pc(race->sites, slot_site(slot));
    enum race_gap gap = gap_of(race, slot, slot_kind, access, offset);
    bool reversed = flags & FINDING_UNORDERED  // of which either may come first
                        ? pc > access->pc
                        : (gap == RACE_UNORDERED || gap == RACE_IN_CLUSTER) &&
                              is_reversed(race, slot_site(slot), access->site, distance);
    bool stores_alone = slot_kind == ACCESS_WRITE && access->kind == ACCESS_WRITE;
    bool atomic = slot_kind == ACCESS_ATOMIC || access->kind == ACCESS_ATOMIC;
    bool among_locks = gap == RACE_UNORDERED && race->exchange_phase == race->phase_start &&
                       distance != TWO_BLOCKS && !stores_alone && !atomic;
    struct finding finding = {
        .kind = FINDING_RACE,
        .severity = severity,
        .detail = among_locks ? RACE_AMONG_LOCKS : gap,
        .flags = flags | (distance == ONE_WARP ? FINDING_SAME_WARP : 0) |
                 (distance == TWO_BLOCKS ? FINDING_BETWEEN_BLOCKS : 0),
        .space = access->space,
        .array = access->array,
        .pc = reversed ? access->pc : pc,
        .other_pc = reversed ? pc : access->pc,
        .offset = offset,
        .array_bytes = access->array_bytes,
        .access = slot_kind,
        .other_access = access->kind,
        .access_bytes = access->bytes,
    };
    fill_who(race, slot, access, distance, &finding);
    if (reversed) {
        swap_sides(&finding);
    }
    return finding;
}

void race_report(struct race *race, uint64_t slot, enum access_kind slot_kind,
                 const struct access *access, int64_t offset, enum race_distance distance,
                 enum finding_severity severity, uint32_t flags) {
    struct finding finding =
        race_finding(race, slot, slot_kind, access, offset, distance, severity, flags);
    if (!findings_repeat(race->findings, &finding)) {
        findings_add(race->findings, &finding);
    }
}

// Of shared memory, only this block's stores matter; it does not ask for what copies stored there.
static bool lacks_proxy(const struct race *race, const struct access *access, uint64_t slot) {
    bool shared = access->space == SPACE_SHARED;
    struct follow_access earlier = race_access_of(race, slot);
    return (shared ? slot_epoch(slot) >= race->block_start
                   : slot >= race->shadow[SPACE_GLOBAL].alive && !(slot & SLOT_BULK)) &&
           follow_is_ordered(race->follow, &earlier, access->thread) &&
           !follow_is_fenced(race->follow, &earlier, access->thread,
                             shared ? PROXY_SHARED : PROXY_GLOBAL);
}

void race_proxy_read(struct race *race, const struct access *access) {
    const struct race_shadow *shadow = &race->shadow[access->space];
    for (uint32_t done = 0; done < access->bytes; done += 1u << shadow->shift) {
        const struct race_cell *cell =
            &shadow->writes[race_unit(shadow, access->array, access->offset + done)];
        uint64_t slot = lacks_proxy(race, access, cell->first)    ? cell->first
                        : lacks_proxy(race, access, cell->second) ? cell->second
                                                                  : 0;
        struct finding finding = {
            .kind = FINDING_RACE,
            .severity = SEVERITY_ERROR,
            .detail = RACE_LACKS_PROXY,
            .flags = race->reads_for,
            .space = access->space,
            .array = access->array,
            .pc = sites_pc(race->sites, slot_site(slot)),
            .other_pc = access->pc,
            .offset = access->offset + done,
            .array_bytes = access->array_bytes,
            .access = ACCESS_WRITE,
            .other_access = ACCESS_READ,
            .access_bytes = access->bytes,
        };
        if (slot != 0) {
            bool far = race_access_of(race, slot).block != race->place.linear;
            finding.flags |= far ? FINDING_BETWEEN_BLOCKS : 0;
            fill_who(race, slot, access, far ? TWO_BLOCKS : TWO_WARPS, &finding);
            findings_add(race->findings, &finding);
        }
    }
}

// Judges the accesses that the fast half of race_access cannot judge, and reports two accesses that
// nothing orders: the two threads, which access comes first, and which synchronization is missing.
#include <assert.h>
#include <string.h>

#include "emu/check/address_checks.h"
#include "emu/check/race.h"

// How far apart the threads of two unordered accesses are; ORDERED (0) if the accesses are ordered.
enum race_distance { ORDERED, ONE_WARP, TWO_WARPS, TWO_BLOCKS };

// An earlier access that the examined access conflicts with.
struct met {
    uint64_t slot;
    enum access_kind kind;
    enum race_distance distance;
    enum race_parties parties;
    bool same_value;  // both are stores, of the same value
};

static inline uint32_t slot_epoch(uint64_t slot) {
    return (uint32_t)(slot >> SLOT_EPOCH_SHIFT);
}

static inline uint32_t slot_site(uint64_t slot) {
    return slot >> SLOT_SITE_SHIFT & 0xffff;
}

// The block of an epoch of this launch, and the access in a slot.  Most are of the newest block.
static const struct race_block *race_block_of(const struct race *race, uint32_t epoch) {
    uint64_t low = 0;
    uint64_t high = race->block_count;
    if (high > 0 && race->block[high - 1].epoch <= epoch) {
        return &race->block[high - 1];
    }
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

static struct follow_access race_access_of(const struct race *race, uint64_t slot) {
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

static void fill_who(const struct race *race, const struct met *met, const struct access *access,
                     bool reversed, struct finding *finding) {
    const uint32_t *block = met->distance == TWO_BLOCKS
                                ? race_block_of(race, slot_epoch(met->slot))->index
                                : race->place.index;
    memcpy(finding->block, block, sizeof finding->block);
    memcpy(finding->other_block, race->place.index, sizeof finding->other_block);
    findings_thread(race->shape->block, met->slot & SLOT_THREAD, finding->thread);
    findings_thread(race->shape->block, access->thread, finding->other_thread);
    for (int i = 0; reversed && i < 3; i++) {
        swap32(&finding->block[i], &finding->other_block[i]);
        swap32(&finding->thread[i], &finding->other_thread[i]);
    }
}

// True if the earlier access is a load, a lane of its warp has since released the memory that the
// running thread stores to, and the loading thread has released nothing since the last barrier, not
// even to that lane.
static bool lane_handed_back(const struct race *race, const struct met *met,
                             const struct access *access, int64_t offset) {
    const struct race_shadow *shadow = &race->shadow[SPACE_SHARED];
    if (!race->lane_arrived || met->kind != ACCESS_READ || access->kind != ACCESS_WRITE ||
        access->space != SPACE_SHARED || slot_epoch(met->slot) < race->block_start) {
        return false;
    }
    const struct race_cell *filled = &shadow->writes[race_unit(shadow, access->array, offset)];
    const struct follow_access begin = {
        .block = race->place.linear, .thread = met->slot & SLOT_THREAD, .epoch = race->phase_start};
    uint64_t last = filled->first > filled->second ? filled->first : filled->second;
    return !follow_is_ordered(race->follow, &begin, access->thread) &&
           race->lane_arrived(race->asked, begin.thread, slot_epoch(last));
}

// The order that the two accesses lack.  A store to a flag comes after a fence; two threads that
// store to the same flag lack more than the fence.
static enum race_gap gap_of(const struct race *race, const struct met *met,
                            const struct access *access, int64_t offset) {
    uint64_t slot = met->slot;
    bool two_stores = met->kind == ACCESS_WRITE && access->kind == ACCESS_WRITE;
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
    if (gap == RACE_AMONG_PHASES && lane_handed_back(race, met, access, offset)) {
        return RACE_LACKS_WARP;
    }
    bool order = gap != RACE_RELAXED && (gap == RACE_UNORDERED || access->space == SPACE_SHARED);
    return in_cluster && order ? RACE_IN_CLUSTER : gap;
}

// Fills in what tells their race from others, and what makes one instance heavier: most races are
// only counted, so nothing else of the long struct is set.
static void race_key(const struct race *race, const struct met *met, const struct access *access,
                     int64_t offset, enum finding_severity severity, struct finding *finding,
                     bool *ret_reversed) {
    uint32_t site = slot_site(met->slot);
    uint64_t pc = sites_pc(race->sites, site);
    enum race_gap gap = gap_of(race, met, access, offset);
    bool reversed = met->parties == PARTIES_ATOMICS  // either of them may come first
                        ? pc > access->pc
                        : (gap == RACE_UNORDERED || gap == RACE_IN_CLUSTER) &&
                              is_reversed(race, site, access->site, met->distance);
    bool stores_alone = met->kind == ACCESS_WRITE && access->kind == ACCESS_WRITE;
    bool atomic = met->kind == ACCESS_ATOMIC || access->kind == ACCESS_ATOMIC;
    bool among_locks = gap == RACE_UNORDERED && race->exchange_phase == race->phase_start &&
                       met->distance != TWO_BLOCKS && !stores_alone && !atomic;
    finding->kind = FINDING_RACE;
    finding->severity = severity;
    finding->detail = among_locks ? RACE_AMONG_LOCKS : gap;
    finding->flags = (met->same_value ? FINDING_SAME_VALUE : 0) |
                     (met->distance == ONE_WARP ? FINDING_SAME_WARP : 0) |
                     (met->distance == TWO_BLOCKS ? FINDING_BETWEEN_BLOCKS : 0);
    finding->space = access->space;
    finding->array = access->array;
    finding->pc = reversed ? access->pc : pc;
    finding->other_pc = reversed ? pc : access->pc;
    finding->access = reversed ? access->kind : met->kind;
    finding->other_access = reversed ? met->kind : access->kind;
    *ret_reversed = reversed;
}

// All of it.
static struct finding race_finding(const struct race *race, const struct met *met,
                                   const struct access *access, int64_t offset,
                                   enum finding_severity severity) {
    bool reversed = false;
    struct finding finding = {.parties = met->parties,
                              .offset = offset,
                              .array_bytes = access->array_bytes,
                              .access_bytes = access->bytes};
    race_key(race, met, access, offset, severity, &finding, &reversed);
    fill_who(race, met, access, reversed, &finding);
    return finding;
}

// Reports it.
static void race_report(struct race *race, const struct met *met, const struct access *access,
                        int64_t offset, enum finding_severity severity) {
    bool reversed = false;
    struct finding key;
    race_key(race, met, access, offset, severity, &key, &reversed);
    if (!findings_repeat(race->findings, &key)) {
        const struct finding finding = race_finding(race, met, access, offset, severity);
        findings_add(race->findings, &finding);
    }
}

// In shared memory, only this block's stores matter, and stores of copies are not considered.
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
            .parties = race->for_wgmma ? PARTIES_WGMMA_READS : PARTIES_THREADS,
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
            const struct met met = {.slot = slot, .distance = far ? TWO_BLOCKS : TWO_WARPS};
            finding.flags |= far ? FINDING_BETWEEN_BLOCKS : 0;
            fill_who(race, &met, access, false, &finding);
            findings_add(race->findings, &finding);
        }
    }
}

static bool warp_ordered(const struct race *race, uint64_t earlier, uint64_t later) {
    const struct race_warp *warp = &race->warp[(later & SLOT_THREAD) / WARP_LANES];
    uint32_t epoch = slot_epoch(earlier);
    if (epoch < warp->full) {
        return true;
    }
    return warp->partial > race->phase_start &&
           epoch < warp->clock[later % WARP_LANES][earlier % WARP_LANES];
}

// As distance_of, in a file with fences.
static __attribute__((noinline)) enum race_distance
followed_distance(const struct race *race, const struct race_shadow *shadow, uint64_t slot,
                  uint64_t me) {
    struct follow_access earlier = race_access_of(race, slot);
    bool other_block = earlier.block != race->place.linear;
    bool other_memory =
        other_block && shadow == &race->shadow[SPACE_SHARED] && race->shape->cluster_blocks == 0;
    if (other_memory || follow_is_ordered(race->follow, &earlier, me & SLOT_THREAD)) {
        return ORDERED;
    }
    return other_block ? TWO_BLOCKS : (slot ^ me) & SLOT_WARP ? TWO_WARPS : ONE_WARP;
}

// The distance between an access in a slot and the current one.
static enum race_distance distance_of(const struct race *race, const struct race_shadow *shadow,
                                      uint64_t slot, uint64_t me) {
    if (slot < shadow->alive) {
        return ORDERED;
    }
    if (__builtin_expect(race->follow != NULL, 0)) {
        return followed_distance(race, shadow, slot, me);
    }
    if (slot_epoch(slot) < race->block_start) {
        return TWO_BLOCKS;
    }
    if (slot_epoch(slot) < race->phase_start || ((slot ^ me) & SLOT_THREAD) == 0) {
        return ORDERED;
    }
    if ((slot ^ me) & SLOT_WARP) {
        return TWO_WARPS;
    }
    return warp_ordered(race, slot, me) ? ORDERED : ONE_WARP;
}

void race_read_only(struct race *race, const struct access *access) {
    const struct race_shadow *shadow = &race->shadow[SPACE_GLOBAL];
    for (uint32_t done = 0; done < access->bytes; done += 1u << shadow->shift) {
        const struct race_cell *cell =
            &shadow->writes[race_unit(shadow, access->array, access->offset + done)];
        uint64_t slot = cell->first;
        if (slot < shadow->alive ||
            distance_of(race, shadow, slot, race->now | access->thread) != ORDERED) {
            continue;
        }
        bool far = race_access_of(race, slot).block != race->place.linear;
        struct finding finding = access_finding(FINDING_RACE, &race->place, access);
        finding.detail = RACE_READ_ONLY;
        finding.flags = far ? FINDING_BETWEEN_BLOCKS : 0;
        finding.pc = sites_pc(race->sites, slot_site(slot));
        finding.other_pc = access->pc;
        finding.access = slot & SLOT_ATOMIC ? ACCESS_ATOMIC : ACCESS_WRITE;
        finding.other_access = ACCESS_READ;
        finding.offset += done;
        if (!findings_repeat(race->findings, &finding)) {
            const struct met met = {.slot = slot, .distance = far ? TWO_BLOCKS : TWO_WARPS};
            fill_who(race, &met, access, false, &finding);
            findings_add(race->findings, &finding);
        }
        return;
    }
}

static uint64_t distance_flags(enum race_distance distance) {
    return distance == TWO_BLOCKS ? SLOT_TWO_BLOCKS : distance == TWO_WARPS ? SLOT_TWO_WARPS : 0;
}

// The distance that distance_flags wrote into a second slot.
static enum race_distance flagged_distance(uint64_t second) {
    return second & SLOT_TWO_BLOCKS ? TWO_BLOCKS : second & SLOT_TWO_WARPS ? TWO_WARPS : ONE_WARP;
}

// A plain access conflicts with all others; an atomic access of block scope with plain ones and
// with atomic ones of other blocks; any other atomic access with these two kinds.
static int reach_of(uint64_t slot) {
    return !(slot & SLOT_ATOMIC) ? 2 : slot & SLOT_BLOCK_SCOPE ? 1 : 0;
}

// True if me can replace slot.  An atomic operation cannot replace an earlier plain store, because
// only the store conflicts with atomic operations of other threads.
static bool gives_way(const struct race_shadow *shadow, uint64_t slot, uint64_t me,
                      enum race_distance distance) {
    return distance == ORDERED && (slot < shadow->alive || reach_of(me) >= reach_of(slot));
}

// Returns an access that was dropped from the cell, or did not fit, though nothing orders it before
// those in the cell; 0 if there is none.
static uint64_t cell_add(const struct race *race, const struct race_shadow *shadow,
                         struct race_cell *cell, uint64_t me) {
    uint64_t left = 0;
    enum race_distance first = distance_of(race, shadow, cell->first, me);
    enum race_distance second = distance_of(race, shadow, cell->second, me);
    if (gives_way(shadow, cell->first, me, first)) {
        cell->first = me;
        if (gives_way(shadow, cell->second, me, second)) {
            cell->second = 0;
        } else {
            cell->second &= ~(uint64_t)(SLOT_TWO_WARPS | SLOT_TWO_BLOCKS);
            cell->second |= distance_flags(second);
        }
    } else if (gives_way(shadow, cell->second, me, second)) {
        cell->second = me | distance_flags(first);
    } else if (first > flagged_distance(cell->second) ||
               (reach_of(me) > reach_of(cell->second) && reach_of(me) > reach_of(cell->first))) {
        left = cell->second;
        cell->second = me | distance_flags(first);
    } else {
        left = me;
    }
    return left;
}

void race_add_reader(const struct race *race, const struct race_shadow *shadow,
                     struct race_cell *cell, uint64_t me) {
    (void)cell_add(race, shadow, cell, me);
}

// --- Values ------------------------------------------------------------------

// True if the thread itself has stored the current value.
static bool is_own(const struct race *race, uint32_t thread, const struct access *access,
                   uint64_t unit, uint64_t address, uint32_t bytes) {
    uint64_t word = race_shadow_word(unit, access->space, true);
    return race_own_holds(&race->own, race->phase_start, thread, word,
                          (const void *)(uintptr_t)address, bytes);
}

// A store of the value that was already there, by another thread of this or another block.
static void own_note_both(struct race *race, const struct race_pending *pending) {
    uint64_t word = race_shadow_word(pending->unit, race->pending_access.space, true);
    if (pending->distance != TWO_BLOCKS) {
        race_own_note(&race->own, race->phase_start, pending->slot & SLOT_THREAD, word,
                      pending->old);
        race_own_note(&race->own, race->phase_start, race->pending_access.thread, word,
                      pending->old);
    }
}

void race_settle(struct race *race) {
    for (uint32_t i = 0; i < race->pending_count; i++) {
        const struct race_pending *pending = &race->pending[i];
        bool same =
            memcmp((const void *)(uintptr_t)pending->address, &pending->old, pending->bytes) == 0;
        const struct met met = {.slot = pending->slot,
                                .kind = pending->is_store ? ACCESS_WRITE : ACCESS_READ,
                                .distance = pending->distance,
                                .same_value = pending->is_store && same};
        if (!pending->is_store) {
            if (!is_own(race, pending->slot & SLOT_THREAD, &race->pending_access, pending->unit,
                        pending->address, pending->bytes)) {
                race_report(race, &met, &race->pending_access, pending->offset, SEVERITY_ERROR);
            }
            continue;
        }
        if (same) {
            own_note_both(race, pending);
        }
        race_report(race, &met, &race->pending_access, pending->offset,
                    same ? SEVERITY_NOTE : SEVERITY_ERROR);
    }
    race->pending_count = 0;
}

// The examined access, and its part in one unit of the shadow.
struct examined {
    const struct access *access;
    uint64_t me;  // its slot
    uint64_t unit;
    int64_t offset;
    uint32_t bytes;
};

static uint64_t address_of(const struct examined *part) {
    return part->access->address + (uint64_t)(part->offset - part->access->offset);
}

// A thread stores to a unit to which another thread has stored.  This is an error unless the values
// are equal, which is known only after the store.
static void doubt(struct race *race, const struct met *met, const struct examined *part) {
    assert(race->pending_count < RACE_PENDING_MAX);
    struct race_pending *pending = &race->pending[race->pending_count++];
    *pending = (struct race_pending){.slot = met->slot,
                                     .unit = part->unit,
                                     .address = address_of(part),
                                     .offset = part->offset,
                                     .bytes = part->bytes,
                                     .distance = met->distance,
                                     .is_store = met->kind != ACCESS_READ};
    memcpy(&pending->old, (const void *)(uintptr_t)pending->address, part->bytes);
    race->pending_access = *part->access;
}

// --- One access --------------------------------------------------------------

// True if the examined store conflicts with other stores of the block to this unit.
static bool is_doubted(const struct race *race, const struct examined *part) {
    for (uint32_t i = 0; i < race->pending_count; i++) {
        if (race->pending[i].unit == part->unit && race->pending[i].distance != TWO_BLOCKS) {
            return true;
        }
    }
    return false;
}

// True if the result depends on the order of two atomic operations.  An array with a
// compare-and-exchange contains locks, or is changed by loops that retry.
static bool order_shows(const struct race *race, uint64_t slot, const struct access *access) {
    uint32_t mine = race->site[access->site].operation;
    uint32_t other = race->site[slot_site(slot)].operation;
    return mine != other && !(race->compared[access->space] >> access->array & 1);
}

// The same for two atomic operations.
static bool compare_atomics(struct race *race, struct met met, const struct examined *part) {
    if (met.distance == TWO_BLOCKS && ((met.slot | part->me) & SLOT_BLOCK_SCOPE)) {
        met.parties = PARTIES_BLOCK_SCOPE;
        race_report(race, &met, part->access, part->offset, SEVERITY_ERROR);
        return true;
    }
    if (race->unordered && order_shows(race, met.slot, part->access)) {
        met.parties = PARTIES_ATOMICS;
        race_report(race, &met, part->access, part->offset, SEVERITY_NOTE);
    }
    return false;
}

// In a file with fences, two strong accesses are not a race unless both are plain stores.  And a
// strong store is ordered before all that follows a strong load that sees it.
static bool strongly_ordered(const struct race *race, const struct met *met,
                             const struct examined *part) {
    const struct access *access = part->access;
    uint64_t slot = met->slot;
    bool too_narrow = met->distance == TWO_BLOCKS && ((slot | part->me) & SLOT_BLOCK_SCOPE);
    if (!race->follow || !(slot & (SLOT_STRONG | SLOT_ATOMIC)) || too_narrow) {
        return false;
    }
    if ((slot & part->me & SLOT_STRONG) &&
        !(met->kind == ACCESS_WRITE && access->kind == ACCESS_WRITE)) {
        return true;
    }
    return met->kind != ACCESS_READ &&
           follow_has_seen(race->follow, access->address, access->space == SPACE_SHARED,
                           slot_epoch(slot), access->thread);
}

// True if the access in the slot is a load, and a relaxed arrival shows that it is done.
static bool load_is_done(const struct race *race, uint64_t slot, uint32_t thread) {
    struct follow_access earlier = race_access_of(race, slot);
    return race->follow && follow_is_done(race->follow, &earlier, thread);
}

// If one is a load and the other an atomic operation, the purpose of the load may not be known yet.
// Returns true if it may be, or was, for a compare-and-exchange.
static bool is_guess(struct race *race, const struct met *met, const struct examined *part) {
    const struct access *access = part->access;
    bool met_loads = met->kind == ACCESS_READ;
    bool other_is_atomic = met_loads ? access->kind == ACCESS_ATOMIC
                                     : met->kind == ACCESS_ATOMIC && access->kind == ACCESS_READ;
    if (!other_is_atomic || (access->bytes != 4 && access->bytes != 8)) {
        return false;
    }
    uint32_t site = slot_site(met->slot);
    struct race_guess guess = {.address = access->address,
                               .bytes = access->bytes,
                               .site = met_loads ? site : access->site,
                               .meets_compare =
                                   met_loads ? race->guesses.compares : race->site[site].compares};
    if (guess.meets_compare && race_guess_is_right(&race->guesses, guess.site)) {
        return true;
    }
    if (met_loads && met->distance == TWO_BLOCKS) {
        return false;  // that block adds no new information
    }
    guess.finding = race_finding(race, met, access, part->offset, SEVERITY_ERROR);
    race_guess_note(&race->guesses, race->findings,
                    met_loads ? met->slot & SLOT_THREAD : access->thread, &guess);
    return true;
}

// Reports a race with the access in slot.  Returns true if there is one.
static bool compare(struct race *race, const struct race_shadow *shadow, uint64_t slot,
                    bool slot_writes, const struct examined *part) {
    const struct access *access = part->access;
    uint64_t me = part->me;
    bool commute = slot & me & SLOT_ATOMIC && !((slot | me) & SLOT_BLOCK_SCOPE) && !race->unordered;
    enum race_distance distance = commute ? ORDERED : distance_of(race, shadow, slot, me);
    if (distance == ORDERED) {
        return false;
    }
    const struct met met = {.slot = slot,
                            .kind = slot & me & SLOT_ATOMIC ? ACCESS_ATOMIC
                                    : !slot_writes          ? ACCESS_READ
                                    : slot & SLOT_ATOMIC    ? ACCESS_ATOMIC
                                                            : ACCESS_WRITE,
                            .distance = distance};
    if (slot & me & SLOT_ATOMIC) {
        return compare_atomics(race, met, part);
    }
    if (strongly_ordered(race, &met, part) ||
        (met.kind == ACCESS_READ && load_is_done(race, slot, access->thread))) {
        return false;
    }
    if (met.kind == ACCESS_WRITE && access->kind == ACCESS_WRITE) {
        doubt(race, &met, part);
        return true;
    }
    if (met.kind == ACCESS_READ && distance != TWO_BLOCKS && is_doubted(race, part)) {
        doubt(race, &met, part);
        return false;  // the other reader may not have stored
    }
    if (met.kind == ACCESS_WRITE && access->kind == ACCESS_READ && distance != TWO_BLOCKS &&
        is_own(race, access->thread, access, part->unit, address_of(part), part->bytes)) {
        return false;
    }
    if (is_guess(race, &met, part)) {
        return false;  // the access in the other slot may not be a race
    }
    race_report(race, &met, access, part->offset, SEVERITY_ERROR);
    return true;
}

// True if a second race of the same two places has its threads further apart than the first.
static bool is_further(const struct race *race, const struct race_shadow *shadow,
                       const struct race_cell *cell, uint64_t me) {
    return distance_of(race, shadow, cell->second, me) > distance_of(race, shadow, cell->first, me);
}

// Compares with both slots of a cell.
static void compare_cell(struct race *race, const struct race_shadow *shadow,
                         const struct race_cell *cell, bool cell_writes,
                         const struct examined *part) {
    if (cell->first < shadow->alive) {
        return;
    }
    bool found = compare(race, shadow, cell->first, cell_writes, part);
    if (!found || slot_site(cell->first) != slot_site(cell->second) ||
        is_further(race, shadow, cell, part->me)) {
        found |= compare(race, shadow, cell->second, cell_writes, part);
    }
    uint64_t word = race_shadow_word(part->unit, part->access->space, cell_writes);
    for (uint32_t at = 0; race->more && !found && race->pending_count < RACE_PENDING_FEW;) {
        uint64_t slot = race_more_next(race->more, word, &at);
        if (slot == 0) {
            break;
        }
        found = compare(race, shadow, slot, cell_writes, part);
    }
}

// Adds an access to a cell, or to the overflow table if the cell is full.  Inputs are only read.
static void keep(struct race *race, const struct race_shadow *shadow, struct race_cell *cell,
                 bool writes, const struct examined *part) {
    const struct access *access = part->access;
    uint64_t left = cell_add(race, shadow, cell, part->me);
    bool input =
        access->space == SPACE_GLOBAL && memory_is_input(race->shape->inputs, access->array);
    if (left != 0 && race->more && !input) {
        uint64_t word = race_shadow_word(part->unit, access->space, writes);
        race_more_add(race->more, word, left, shadow->alive, race->block_now);
    }
}

static void examine_part(struct race *race, struct race_shadow *shadow,
                         const struct examined *part) {
    struct race_cell *reads = &shadow->reads[part->unit];
    struct race_cell *writes = &shadow->writes[part->unit];

    compare_cell(race, shadow, writes, true, part);
    if (part->access->kind == ACCESS_READ) {
        if (!race->for_wgmma) {
            keep(race, shadow, reads, false, part);
        }
        return;
    }
    compare_cell(race, shadow, reads, false, part);
    keep(race, shadow, writes, true, part);
    shadow->written |= (uint64_t)1 << (part->access->array & 63);
}

// Earlier loads of the running thread were part of the compare-and-exchange that follows.
static uint64_t as_guess(struct race *race, uint64_t slot, const struct access *access) {
    bool mine = (slot & SLOT_THREAD) == access->thread &&
                slot >= race->shadow[access->space].alive &&
                race_block_of(race, slot_epoch(slot))->linear == race->place.linear;
    if (mine) {
        race_guess_right(&race->guesses, slot_site(slot));
    }
    return mine ? slot | SLOT_ATOMIC : slot;
}

static void guesses_are_right(struct race *race, const struct access *access, uint64_t unit) {
    struct race_cell *reads = &race->shadow[access->space].reads[unit];
    uint64_t word = race_shadow_word(unit, access->space, false);
    uint32_t at = 0;
    reads->first = as_guess(race, reads->first, access);
    reads->second = as_guess(race, reads->second, access);
    for (uint64_t slot = 1; race->more && slot != 0;) {
        slot = race_more_next(race->more, word, &at);
        if (slot != 0) {
            race_more_set(race->more, at, as_guess(race, slot, access));
        }
    }
}

// The atomic operation acquires the accesses that earlier ones released, like the operation of a
// lock.
static bool takes(const struct race *race) {
    return race->operation == OPERATION_EXCHANGE || race->operation == OPERATION_COMPARE;
}

// Volatile loads and atomic operations are strong.  A volatile store is strong only after a fence,
// because before it a flag has nothing to release.  The fence must follow the thread's last access
// of the word, unlike in sums of lanes that rely on lockstep.
static bool is_strong(const struct race *race, const struct access *access) {
    if (!race->follow) {
        return false;
    }
    if (access->kind == ACCESS_ATOMIC) {
        return true;
    }
    return access->strong && (access->kind == ACCESS_READ ||
                              follow_has_fenced(race->follow, access->address,
                                                access->space == SPACE_SHARED, access->thread));
}

void race_examine(struct race *race, const struct access *access, uint64_t me) {
    struct race_shadow *shadow = &race->shadow[access->space];
    uint32_t unit_bytes = 1u << shadow->shift;

    race_settle(race);
    const uint64_t place = (uint64_t)access->offset | access->bytes;
    if (place & (unit_bytes - 1)) {
        const uint64_t parts = place & 1 ? unit_bytes : unit_bytes / 2;
        race_shadow_refine(shadow, place & 1 ? 0 : 1);
        if (race->more) {
            race_more_refine(race->more, access->space, shadow->spread, parts);
        }
        memset(&race->own, 0, sizeof race->own);  // its words are other units now
        unit_bytes = 1u << shadow->shift;
    }
    if (access->kind == ACCESS_ATOMIC) {
        struct race_site *site = &race->site[access->site];
        me |= SLOT_ATOMIC | race->scope;
        site->operation =
            (uint8_t)(site->operation > race->operation ? site->operation : race->operation);
        site->compares |= race->guesses.compares;
        race->exchange_phase = takes(race) ? race->phase_start : race->exchange_phase;
        race->compared[access->space] |= (uint64_t)(race->operation == OPERATION_COMPARE)
                                         << access->array;
    }
    bool compares = access->kind == ACCESS_ATOMIC && race->guesses.compares;
    bool guessed = (compares || race->guesses.count > 0) &&
                   race_guess_decide(&race->guesses, race->findings, access, compares);
    me |= (is_strong(race, access) ? SLOT_STRONG : 0) | (race->by_copy ? SLOT_BULK : 0);
    uint32_t settled = access->space == SPACE_SHARED ? SLOT_TWO_WARPS : SLOT_TWO_BLOCKS;
    for (uint32_t done = 0; done < access->bytes; done += unit_bytes) {
        struct examined part = {
            .access = access, .me = me, .offset = access->offset + done, .bytes = unit_bytes};
        part.unit = race_unit(shadow, access->array, part.offset);
        if (access->kind == ACCESS_READ && !race->more &&
            race_read_noted(race, shadow, part.unit, access, me, settled)) {
            continue;
        }
        if (access->kind == ACCESS_WRITE && race_write_noted(shadow, part.unit, access, me)) {
            continue;
        }
        if (guessed) {
            guesses_are_right(race, access, part.unit);
        }
        examine_part(race, shadow, &part);
    }
}

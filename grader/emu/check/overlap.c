// A wait makes its thread know of an agent (follow.h), and barriers and mbarriers pass this
// knowledge on.
#include "emu/check/overlap.h"

#include <stddef.h>

#include "emu/check/address_checks.h"
#include "emu/memory/vault.h"

#define AGENT_GRIDS (1u << 31)  // above those of all blocks

// An element of `used` has a bit for each launch and kind of access. Its upper bits give the place
// of the last store, or of a later load if the launch of that store has ended: 1 + the index of the
// place, or 0 if it is not kept.
#define KIND_BITS   4u
#define KIND_MASK   ((1u << KIND_BITS) - 1)
#define PLACE_SHIFT (3 * KIND_BITS)
#define PLACE_MASK  (OVERLAP_PLACES_MAX << PLACE_SHIFT)
_Static_assert(PLAN_LAUNCHES_MAX <= KIND_BITS, "a launch needs a bit");

// The first bit of a kind.
static const uint32_t shift_of[ACCESS_KIND_COUNT] = {
    [ACCESS_READ] = 0, [ACCESS_WRITE] = KIND_BITS, [ACCESS_ATOMIC] = 2 * KIND_BITS};

enum status overlap_begin(struct overlap **at, uint64_t arena, uint64_t bytes, struct error *err) {
    enum status status = vault_need(at, sizeof **at, err);
    status = status ? status : vault_need(&(*at)->used, bytes * sizeof *(*at)->used, err);
    if (!status) {
        uint16_t *used = (*at)->used;
        vault_clear(used);
        **at = (struct overlap){.used = used, .arena = arena};
    }
    return status;
}

enum status overlap_launch_begin(void *observer, const struct launch_shape *shape,
                                 struct findings *findings, struct error *err) {
    struct overlap *overlap = observer;
    (void)err;
    // The launches that may still run when the last one has ended.
    uint32_t left = overlap->waits ? overlap->running_after : overlap->running;
    uint32_t last = overlap->number > 0 ? 1u << (overlap->number - 1) : 0;
    overlap->running = shape->dependent ? overlap->running | last : 0;
    overlap->running_after = shape->dependent ? left : 0;
    overlap->waits = false;
    overlap->number++;
    overlap->shape = shape;
    overlap->findings = findings;
    return STATUS_OK;
}

void overlap_block_begin(void *observer, const struct block_place *place) {
    struct overlap *overlap = observer;
    overlap->block = place;
}

void overlap_wait(struct overlap *overlap, uint32_t thread) {
    overlap->waits = true;
    follow_learn_agent(overlap->shape->follow, thread, AGENT_GRIDS, 1);
}

// The bits that conflict with this kind of access: two atomic operations need no order.
static uint32_t wrong_beside(enum access_kind kind, uint32_t launches) {
    return (kind != ACCESS_READ ? launches << shift_of[ACCESS_READ] : 0) |
           launches << shift_of[ACCESS_WRITE] |
           (kind != ACCESS_ATOMIC ? launches << shift_of[ACCESS_ATOMIC] : 0);
}

static void report(const struct overlap *overlap, const struct access *access, uint32_t byte,
                   uint32_t used, uint32_t wrong, bool has_waited) {
    struct finding finding = access_finding(FINDING_RACE, overlap->block, access);
    uint32_t index = used >> PLACE_SHIFT;
    const struct overlap_place *place =
        index > 0 ? &overlap->place[access->array][index - 1] : NULL;
    finding.detail = has_waited ? RACE_LAUNCH_NOT_WAITED_FOR : RACE_LACKS_GRID_WAIT;
    finding.flags = FINDING_BETWEEN_BLOCKS;
    finding.offset += byte;
    finding.other_access = used & wrong & KIND_MASK << shift_of[ACCESS_WRITE]    ? ACCESS_WRITE
                           : used & wrong & KIND_MASK << shift_of[ACCESS_ATOMIC] ? ACCESS_ATOMIC
                                                                                 : ACCESS_READ;
    if (place && place->kind == finding.other_access &&
        wrong & 1u << (shift_of[place->kind] + place->launch)) {
        finding.other_pc = place->pc;
    }
    if (!findings_repeat(overlap->findings, &finding)) {
        findings_thread(overlap->shape->block, access->thread, finding.thread);
        findings_add(overlap->findings, &finding);
    }
}

static void check(const struct overlap *overlap, const struct access *access,
                  const uint16_t *used) {
    bool has_waited = follow_knows_agent(overlap->shape->follow, access->thread, AGENT_GRIDS, 0);
    uint32_t wrong = wrong_beside((enum access_kind)access->kind,
                                  has_waited ? overlap->running_after : overlap->running);
    for (uint32_t i = 0; i < access->bytes && wrong != 0; i++) {
        if (used[i] & wrong) {
            report(overlap, access, i, used[i], wrong, has_waited);
            return;
        }
    }
}

// 1 + the index of the place of this access; 0 if there is no room for it.
static uint32_t place_number(struct overlap *overlap, const struct access *access,
                             uint32_t launch) {
    struct overlap_place *place = overlap->place[access->array];
    for (uint32_t i = 0; i < OVERLAP_PLACES_MAX; i++) {
        if (place[i].pc == 0) {
            place[i] =
                (struct overlap_place){.pc = access->pc, .launch = launch, .kind = access->kind};
        }
        if (place[i].pc == access->pc && place[i].launch == launch &&
            place[i].kind == access->kind) {
            return i + 1;
        }
    }
    return 0;
}

void overlap_access(struct overlap *overlap, const struct access *access) {
    uint16_t *used = overlap->used + (access->address - overlap->arena);
    uint32_t launch = overlap->number - 1;
    if (overlap->shape->dependent) {
        check(overlap, access, used);
    }
    if (access->kind == ACCESS_READ && memory_is_input(overlap->shape->inputs, access->array)) {
        return;  // no launch may store to it
    }
    uint32_t bit = 1u << (shift_of[access->kind] + launch);
    uint32_t place = place_number(overlap, access, launch) << PLACE_SHIFT;
    uint32_t launches = overlap->running | 1u << launch;
    uint32_t stores = launches << shift_of[ACCESS_WRITE] | launches << shift_of[ACCESS_ATOMIC];
    for (uint32_t i = 0; i < access->bytes; i++) {
        bool keeps = access->kind == ACCESS_READ && used[i] & stores;
        used[i] = (uint16_t)(keeps ? used[i] | bit : ((used[i] & ~PLACE_MASK) | bit | place));
    }
}

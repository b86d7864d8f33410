// mbarrier, bulk copies and fence.proxy.async of ptx.cuh.
//
// A bulk copy is made at its call; bulk.h watches who accesses its bytes before it is known to be
// done.  To the other checkers it is an access of the thread that calls it.
//
// The link takes this file only if the kernel file makes such a call: machine.c asks for
// emu_mbarrier_init.
#include "emu/hooks/bulk_calls.h"

#include <string.h>

#include "emu/hooks/place.h"
#include "emu/hooks/touch.h"
#include "emu/machine/tracing.h"

#define COPY_BYTES 16  // addresses and sizes are multiples of this

void emu_mbarrier_init(uint64_t *mbarrier, uint32_t count);
void emu_mbarrier_inval(uint64_t *mbarrier);
void emu_mbarrier_arrive(uint64_t *mbarrier, uint32_t count);
void emu_mbarrier_expect(uint64_t *mbarrier, uint32_t bytes);
void emu_mbarrier_arrive_expect(uint64_t *mbarrier, uint32_t bytes);
bool emu_mbarrier_wait(uint64_t *mbarrier, uint32_t parity, bool blocks);
void emu_bulk_load(void *to, const void *from, uint32_t bytes, uint64_t *mbarrier);
void emu_bulk_store(void *to, const void *from, uint32_t bytes);
void emu_bulk_commit(void);
void emu_bulk_wait(uint32_t prior, bool reads_only);
void emu_proxy_fence(void);
void emu_proxy_fence_global(void);

// --- mbarrier ------------------------------------------------------------------------------------

// An operation on an mbarrier.  It is not counted: how often a wait is repeated depends on the
// order of the threads.
static struct access operate(uint64_t *mbarrier, enum access_kind kind, uint64_t pc) {
    schedule_step(&machine_state, pc);
    return mbarrier_access(&machine_state, (uint64_t)(uintptr_t)mbarrier, kind, pc);
}

static void check(struct access access) {
    struct emu_machine *machine = &machine_state;
    if (machine->checks && touch_is_watched(machine, &access, SPACE_SHARED)) {
        touch_check(machine, &access, SPACE_SHARED, true);
    }
}

// The race checker does not see it: a list of all operations would be long.
struct mbarrier *bulk_mbarrier(uint64_t *mbarrier, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    struct access access = operate(mbarrier, ACCESS_ATOMIC, pc);
    struct mbarrier *at = mbarrier_operand(machine, &access);
    if (machine->checks) {
        follow_phases(machine->race->follow);
    }
    return at;
}

void emu_mbarrier_init(uint64_t *mbarrier, uint32_t count) {
    struct access access = operate(mbarrier, ACCESS_WRITE, PLACE);
    struct mbarrier *at = mbarrier_init(&machine_state, &access, count);
    check(access);
    at->live = true;
    memset(mbarrier, 0, sizeof *mbarrier);
}

void emu_mbarrier_inval(uint64_t *mbarrier) {
    struct access access = operate(mbarrier, ACCESS_WRITE, PLACE);
    mbarrier_inval(&machine_state, &access);
    check(access);
}

void emu_mbarrier_arrive(uint64_t *mbarrier, uint32_t count) {
    mbarrier_arrive(&machine_state, bulk_mbarrier(mbarrier, PLACE), count, PLACE);
}

void emu_mbarrier_expect(uint64_t *mbarrier, uint32_t bytes) {
    mbarrier_expect(&machine_state, bulk_mbarrier(mbarrier, PLACE), bytes, PLACE);
}

void emu_mbarrier_arrive_expect(uint64_t *mbarrier, uint32_t bytes) {
    struct mbarrier *at = bulk_mbarrier(mbarrier, PLACE);
    mbarrier_expect(&machine_state, at, bytes, PLACE);
    mbarrier_arrive(&machine_state, at, 1, PLACE);
}

bool emu_mbarrier_wait(uint64_t *mbarrier, uint32_t parity, bool blocks) {
    struct emu_machine *machine = &machine_state;
    emu_flops[FLOPS_IDLE] += IDLE_ASK_NS;
    bool complete = mbarrier_wait(machine, bulk_mbarrier(mbarrier, PLACE), parity, blocks, PLACE);
    if (!complete) {
        schedule_away(machine);
    }
    return complete;
}

static void proxy_fence(enum follow_proxy proxy, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    schedule_step(machine, pc);
    emu_flops[FLOPS_IDLE] += IDLE_PROXY_NS;
    if (machine->checks) {
        race_proxy_fence(machine->race, machine->current, proxy);
    }
}

void emu_proxy_fence(void) {
    proxy_fence(PROXY_SHARED, PLACE);
}

void emu_proxy_fence_global(void) {
    proxy_fence(PROXY_GLOBAL, PLACE);
}

// --- Bulk copies ---------------------------------------------------------------------------------

struct access bulk_side(const void *address, uint32_t alignment, enum access_kind kind,
                        enum memory_space space, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    struct access side = {.pc = pc,
                          .address = (uint64_t)(uintptr_t)address,
                          .bytes = alignment,
                          .thread = machine->current,
                          .space = (uint8_t)space,
                          .kind = (uint8_t)kind};
    bool shared = space == SPACE_SHARED;
    if (!(shared ? memory_find_shared(tracing_memory(machine), &side)
                 : memory_find_global(tracing_memory(machine), &side))) {
        machine_crash(machine, shared ? CRASH_NOT_SHARED : CRASH_NOT_GLOBAL, pc);
    }
    if (align_call(&machine->result.findings, &machine->shape, &machine->place, &side,
                   alignment > COPY_BYTES ? MISALIGNED_BOX : MISALIGNED_ACCESS)) {
        machine_stop(machine);
    }
    return side;
}

static struct access side_of(const void *address, uint32_t bytes, enum access_kind kind,
                             enum memory_space space, uint64_t pc) {
    if (bytes % COPY_BYTES != 0) {
        machine_crash(&machine_state, CRASH_COPY_SIZE, pc);
    }
    return bulk_side(address, COPY_BYTES, kind, space, pc);
}

// A bulk copy reads what threads have stored: they need fence.proxy.async.
static void proxy_check(struct emu_machine *machine, const struct access *part) {
    struct access word = access_copy(part);
    if (part->space == SPACE_GLOBAL) {
        if (machine->race->shadow[SPACE_GLOBAL].written >> part->array & 1) {
            race_proxy_read(machine->race, part);
        }
        return;
    }
    for (word.bytes = 4; word.offset < part->offset + (int64_t)part->bytes; word.offset += 4) {
        if (!bulk_has_filled(machine->bulk, &word)) {
            race_proxy_read(machine->race, &word);
        }
    }
}

void bulk_touch(const struct access *side, int64_t from, uint32_t bytes) {
    struct emu_machine *machine = &machine_state;
    struct access piece = access_copy(side);
    struct access *part = &piece;
    enum memory_space space = (enum memory_space)side->space;
    piece.address += (uint64_t)from;
    piece.offset += from;
    piece.bytes = bytes;
    if (machine->tracing) {
        touch_one(piece.address, bytes, (enum access_kind)piece.kind, piece.pc, true);
        return;
    }
    part->in_bounds = memory_inside(part);
    if (bounds_access(&machine->result.findings, &machine->shape, &machine->place, part)) {
        touch_outside(machine, part);
        return;
    }
    if (space == SPACE_GLOBAL) {
        coverage_access(&machine->coverage, part);
    }
    if (machine->checks && touch_is_watched(machine, part, space)) {
        uint32_t found = machine->result.findings.count;
        machine->race->by_copy = true;
        touch_check(machine, part, space, true);
        machine->race->by_copy = false;
        if (part->kind == ACCESS_READ && machine->result.findings.count == found) {
            proxy_check(machine, part);
        }
        if (space == SPACE_GLOBAL && part->kind == ACCESS_WRITE) {
            bulk_stores(machine->bulk, part);
        }
    }
}

// All that are accessed by one side of a copy.
static void side_touch(const struct access *side, uint32_t bytes) {
    for (uint32_t done = 0; done < bytes; done += COPY_BYTES) {
        bulk_touch(side, done, COPY_BYTES);
    }
}

void bulk_side_begin(struct access side, uint32_t bytes, uint32_t agent) {
    struct emu_machine *machine = &machine_state;
    side.bytes = bytes;
    side.in_bounds = true;
    if (machine->checks && bytes > 0 && memory_inside(&side)) {
        bulk_begin(machine->bulk, &side, agent);
    }
}

static void count_copy(const struct access *read, const struct access *written, uint32_t bytes) {
    struct emu_machine *machine = &machine_state;
    if (machine->counts) {
        uint32_t site = sites_number(machine->count_sites, instruction_of(machine, read->pc));
        count_bulk(machine->count, site, read, bytes);
        count_bulk(machine->count, site, written, bytes);
    }
}

void emu_bulk_load(void *to, const void *from, uint32_t bytes, uint64_t *mbarrier) {
    struct emu_machine *machine = &machine_state;
    uint64_t pc = PLACE;
    struct mbarrier *at = bulk_mbarrier(mbarrier, pc);
    struct access read = side_of(from, bytes, ACCESS_READ, SPACE_GLOBAL, pc);
    struct access written = side_of(to, bytes, ACCESS_WRITE, SPACE_SHARED, pc);
    count_copy(&read, &written, bytes);
    side_touch(&written, bytes);  // ends the launch if the array is too small
    side_touch(&read, bytes);
    memcpy(to, from, bytes);
    bulk_side_begin(written, bytes, mbarrier_number(machine->mbarriers, at));
    mbarrier_copied(machine, at, bytes, machine->checks ? machine->bulk->time : 0, pc);
}

void emu_bulk_store(void *to, const void *from, uint32_t bytes) {
    struct emu_machine *machine = &machine_state;
    uint64_t pc = PLACE;
    schedule_step(machine, pc);
    struct access read = side_of(from, bytes, ACCESS_READ, SPACE_SHARED, pc);
    struct access written = side_of(to, bytes, ACCESS_WRITE, SPACE_GLOBAL, pc);
    count_copy(&read, &written, bytes);
    side_touch(&read, bytes);
    side_touch(&written, bytes);
    memcpy(to, from, bytes);
    bulk_side_begin(read, bytes, BULK_AGENT_GROUPS + machine->current);
}

void emu_bulk_commit(void) {
    if (machine_state.checks) {
        bulk_commit(machine_state.bulk, machine_state.current);
    }
}

void emu_bulk_wait(uint32_t prior, bool reads_only) {
    struct emu_machine *machine = &machine_state;
    schedule_step(machine, PLACE);
    if (machine->checks) {
        bulk_wait(machine->bulk, machine->race->follow, machine->current, prior, reads_only);
    }
}

// Accesses that end a launch, accesses without a callback from the compiler, and accesses of the
// shared memory of another block of the cluster.
#include "emu/hooks/touch.h"

#include "emu/check/address_checks.h"
#include "emu/machine/cluster.h"
#include "emu/machine/tracing.h"

#define WRAP_BYTES_MAX (16ll << 20)  // an unsigned index that went below 0 by as much

// True if the address is that of an element before the array, plus 2^32 elements of some size: the
// index is unsigned.  Fills in the offset before the array.
static bool has_wrapped(uint64_t address, uint64_t start, uint32_t own_bytes,
                        struct access *access) {
    for (uint32_t bytes = 1; bytes <= 2 * 16; bytes *= 2) {
        uint64_t size = bytes == 1 ? own_bytes : bytes / 2;
        int64_t offset = (int64_t)(address - start - (size << 32));
        if (offset < 0 && offset >= -WRAP_BYTES_MAX) {
            access->offset = offset;
            return true;
        }
    }
    return false;
}

static bool wrapped_find(const struct memory *memory, struct access *access) {
    for (uint32_t i = 0; i < memory->array_count; i++) {
        if (memory->bytes[i] > 0 &&
            has_wrapped(access->address, memory->start[i], access->bytes, access)) {
            access->space = SPACE_GLOBAL;
            access->array = i;
            access->array_bytes = memory->bytes[i];
            return true;
        }
    }
    for (uint32_t i = 0; i < memory->table.count; i++) {
        const struct shared_array *array = &memory->table.array[i];
        if (has_wrapped(access->address, memory->shared + array->offset, access->bytes, access) &&
            access->offset >= -(int64_t)MEMORY_SLOT_BYTES) {
            access->space = SPACE_SHARED;
            access->array = i;
            access->array_bytes = array->bytes;
            return true;
        }
    }
    return false;
}

// Ends the launch by x[i - 1], if i is unsigned and 0.
static void access_wrapped(struct emu_machine *machine, const struct access *access) {
    struct access before = access_copy(access);
    if (wrapped_find(&machine->memory, &before)) {
        struct finding finding =
            access_finding(FINDING_OUT_OF_BOUNDS, &machine->block.place, &before);
        finding.flags = FINDING_UNSIGNED;
        findings_thread(machine->shape.block, before.thread, finding.thread);
        findings_add(&machine->result.findings, &finding);
        machine_stop(machine);
    }
}

static _Noreturn void access_impossible(struct emu_machine *machine, const struct access *access) {
    bool map = access->address - (uint64_t)(uintptr_t)machine->tensor < sizeof machine->tensor;
    enum crash_cause cause = access->address < NULL_BYTES ? CRASH_NULL_POINTER
                             : map                        ? CRASH_TENSOR_MAP_TOUCHED
                             : machine->is_program && host_owns(access->address)
                                 ? CRASH_HOST_POINTER
                                 : CRASH_WILD_POINTER;
    struct finding finding = machine_finding(machine, FINDING_CRASH, access->pc);
    finding.detail = cause;
    finding.space = access->space;
    finding.access = access->kind;
    finding.access_bytes = access->bytes;
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

// An access outside its array has been reported.  Around A, B and C such an access is harmless.
// After a shared array comes the thread's control block, so no store may happen there, and no load
// past the end of the segment.
void touch_outside(struct emu_machine *machine, const struct access *access) {
    if (access->space == SPACE_SHARED &&
        (access->kind != ACCESS_READ ||
         access->address + access->bytes > machine->memory.segment_end)) {
        machine_stop(machine);
    }
}

// An element counts as stored to if a part of it was.
void touch_old(struct emu_machine *machine, const struct access *access) {
    const uint8_t *element = machine->coverage.element[access->array];
    bool stored = element[(uint64_t)access->offset / COVERAGE_ELEMENT_BYTES] & COVERAGE_WRITTEN;
    bool input = memory_is_input(machine->memory.inputs, access->array);
    if (access->kind == ACCESS_WRITE || access->array == ARRAY_WORKSPACE || input || stored) {
        return;
    }
    struct finding finding = access_finding(FINDING_UNINITIALIZED, &machine->block.place, access);
    finding.severity = SEVERITY_WARNING;
    if (!findings_repeat(&machine->result.findings, &finding)) {
        findings_thread(machine->shape.block, access->thread, finding.thread);
        findings_add(&machine->result.findings, &finding);
    }
}

// Takes the members of an access as arguments: passing its address to a call would force it into
// memory.
void touch_elsewhere(struct emu_machine *machine, uint64_t address, uint32_t bytes,
                     enum access_kind kind, uint64_t pc) {
    struct access access = {.pc = pc,
                            .address = address,
                            .bytes = bytes,
                            .thread = machine->current,
                            .kind = (uint8_t)kind};
    if (machine->local_bytes == 0 &&
        address - machine->thread[machine->current].stack_low < FIBER_STACK_BYTES) {
        if (!machine->configuring) {
            wgmma_local(machine->own.wgmma, machine->current, address, bytes, kind, pc);
        }
        return;
    }
    if (machine->tracing && tracing_access(machine, &access)) {
        return;
    }
    if (machine->cluster && touch_remote(machine, &access)) {
        return;
    }
    if (machine->variables > 0 && host_variable_find(&access)) {
        touch_observe(machine, &access, SPACE_GLOBAL, true);
        return;
    }
    if (!memory_find_elsewhere(&machine->memory, &access)) {
        access_wrapped(machine, &access);
        access_impossible(machine, &access);
    }
    if (!access.in_bounds) {
        bounds_report(&machine->result.findings, &machine->shape, &machine->block.place, &access);
    }
}

void touch_local_misaligned(uint64_t address, uint32_t bytes, enum access_kind kind, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    if (machine->on_host) {
        return;  // a processor can do it
    }
    const struct access access = {.pc = pc,
                                  .address = address,
                                  .bytes = bytes,
                                  .thread = machine->current,
                                  .array = ARRAY_NONE,
                                  .space = SPACE_NONE,
                                  .kind = (uint8_t)kind};
    if (align_examine(&machine->result.findings, &machine->shape, &machine->block.place, &access)) {
        machine_stop(machine);
    }
}

void touch_one(uint64_t address, uint32_t bytes, enum access_kind kind, uint64_t pc, bool by_size) {
    schedule_step(&machine_state, pc);
    touch_part(address, bytes, kind, pc, by_size, by_size ? 0 : COPY_OF_UNKNOWN, 0, false);
}

void touch_strong(uint64_t address, uint32_t bytes, enum access_kind kind, uint64_t pc) {
    schedule_step(&machine_state, pc);
    touch_part(address, bytes, kind, pc, true, 0, 0, true);
}

void touch_followed(uint64_t address, const struct follow_strong *strong) {
    struct emu_machine *machine = &machine_state;
    struct follow_strong filled = *strong;
    filled.address = address;
    filled.thread = machine->current;
    filled.shared = address - machine->memory.shared < machine->memory.shared_bytes;
    machine->round.goes_on = machine->round.goes_on || strong->stores;
    if (machine->checks) {
        race_strong(machine->race, &filled);
    }
}

void touch_range(uint64_t address, uint64_t bytes, enum access_kind kind, uint64_t pc) {
    uint32_t step = (address | bytes) % 4 == 0 ? 4 : 1;
    for (uint64_t done = 0; done < bytes; done += step) {
        schedule_step(&machine_state, pc);
        touch_part(address + done, step, kind, pc, false, (uint32_t)bytes, (uint32_t)done, false);
    }
}

void touch_there(struct emu_machine *machine, struct access *access, uint32_t rank) {
    struct cluster *cluster = machine->cluster;
    const struct cluster_block *target = &cluster->block[rank];
    struct race_shadow *shadow = &machine->race->shadow[SPACE_SHARED];
    access->site = sites_come(machine->sites, access->pc, machine->known.phase);
    if (target->state == BLOCK_ENDED) {
        struct remote_end end = cluster_end_of(machine, rank);
        remote_too_late(cluster->remote, &machine->block.place, access, &end);
        return;
    }
    if (machine->hands_on && (bulk_access(target->parts.bulk, machine->race->follow, access) ||
                              (machine->own.wgmma &&
                               wgmma_access(target->parts.wgmma, machine->race->follow, access)))) {
        return;
    }
    if (machine->hands_on && access->kind == ACCESS_WRITE) {
        mbarrier_store(machine, target->parts.mbarriers, access);
    }
    if (cluster->phase > 0) {
        target->parts.uninit->place = machine->block.place;
        (void)uninit_access(target->parts.uninit, access);
    }
    race_shadow_view(shadow, rank);
    race_access(machine->race, access);
    race_shadow_view(shadow, cluster->rank);
    remote_access(cluster->remote,
                  &(struct remote_use){.from = cluster->rank,
                                       .to = rank,
                                       .place = &machine->block.place,
                                       .epoch = machine->race->epoch,
                                       .before_barrier = cluster->phase == 0},
                  access);
}

bool touch_remote(struct emu_machine *machine, const struct access *there) {
    const struct cluster *cluster = machine->cluster;
    uint64_t stride = machine->memory.shared_bytes;
    uint64_t at = there->address - cluster->window;
    if (at >= machine->shape.cluster_blocks * stride) {
        return false;
    }
    uint32_t rank = (uint32_t)(at / stride);
    if (rank == cluster->rank) {
        machine_crash(machine, CRASH_CLUSTER_POINTER, there->pc);
    }
    struct access access = access_copy(there);
    access.space = SPACE_SHARED;
    access.address = machine->memory.shared + at % stride;
    (void)memory_find_shared(&machine->memory, &access);
    access.address = there->address;
    access.in_bounds = memory_inside(&access);
    if (bounds_access(&machine->result.findings, &machine->shape, &machine->block.place, &access) ||
        align_access(&machine->result.findings, &machine->shape, &machine->block.place, &access)) {
        machine_stop(machine);
    }
    if (machine->counts) {
        access.site = sites_number(machine->count_sites, instruction_of(machine, access.pc));
        if (count_access(machine->count, &access)) {
            schedule_away(machine);
        }
    }
    if (machine->checks) {
        touch_there(machine, &access, rank);
    }
    return true;
}

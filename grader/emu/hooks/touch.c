// Accesses that end a launch, and accesses without a callback of the compiler.
#include "emu/hooks/touch.h"

#include "emu/check/access_finding.h"
#include "emu/machine/tracing.h"

static _Noreturn void access_impossible(struct emu_machine *machine, const struct access *access) {
    bool map = access->address - (uint64_t)(uintptr_t)machine->tensor < sizeof machine->tensor;
    enum crash_cause cause = access->address < NULL_BYTES ? CRASH_NULL_POINTER
                             : map                        ? CRASH_TENSOR_MAP_TOUCHED
                                                          : CRASH_WILD_POINTER;
    struct finding finding = machine_finding(machine, FINDING_CRASH, access->pc);
    finding.detail = cause;
    finding.space = access->space;
    finding.access = access->kind;
    finding.access_bytes = access->bytes;
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

// An access outside its array has been reported.  Around A, B and C it is harmless.  After a shared
// array comes the thread's control block, so no store may happen there, and no load past the end of
// the segment.
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
    bool input = machine->memory.inputs >> access->array & 1;
    if (access->kind == ACCESS_WRITE || access->array == ARRAY_WORKSPACE || input || stored) {
        return;
    }
    struct finding finding = access_finding(FINDING_UNINITIALIZED, &machine->place, access);
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
            wgmma_local(machine->wgmma, machine->current, address, bytes, kind, pc);
        }
        return;
    }
    if (machine->tracing && tracing_access(machine, &access)) {
        return;
    }
    if (machine->cluster && touch_remote(machine, &access)) {
        return;
    }
    if (!memory_find_elsewhere(&machine->memory, &access)) {
        access_impossible(machine, &access);
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
    machine->goes_on = machine->goes_on || strong->stores;
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

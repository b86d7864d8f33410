// Asynchronous copies from global to shared memory: __pipeline_memcpy_async and its relatives, and
// cp.async of PTX.
//
// The bytes are copied immediately, because no thread may access them before the wait;
// copy_checks.h reports threads that do.  For the race checker the copy stores twice: at the call,
// which conflicts with earlier accesses by others, and at the wait, after which the bytes are
// valid.
#include <string.h>

#include "emu/hooks/touch.h"
#include "emu/machine/tracing.h"

void emu_async_copy(void *to, const void *from, uint64_t bytes, uint64_t zeros);
void emu_async_commit(void);
void emu_async_wait(uint64_t prior);
void emu_async_wait_all(void);

static struct access access_of(const struct emu_machine *machine, const void *address,
                               uint64_t bytes, enum access_kind kind, uint64_t pc) {
    return (struct access){.pc = pc,
                           .address = (uint64_t)(uintptr_t)address,
                           .bytes = (uint32_t)bytes,
                           .thread = machine->current,
                           .kind = (uint8_t)kind};
}

// A copy may read fewer bytes than it writes, but both addresses must be aligned to its size.
// Returns the global array that the copy reads, or ARRAY_NONE.
static uint32_t source_touch(struct emu_machine *machine, const void *from, uint64_t bytes,
                             uint64_t read, uint64_t pc) {
    struct access access = access_of(machine, from, bytes, ACCESS_READ, pc);
    if (read == 0) {
        return ARRAY_NONE;
    }
    if (!memory_find_global(tracing_memory(machine), &access)) {
        machine_crash(machine, CRASH_NOT_GLOBAL, pc);
    }
    access.space = SPACE_GLOBAL;
    if (align_call(&machine->result.findings, &machine->shape, &machine->block.place, &access,
                   MISALIGNED_ACCESS)) {
        machine_stop(machine);
    }
    uint64_t step = read == bytes ? bytes : read % 4 == 0 ? 4 : 1;
    for (uint64_t done = 0; done < read; done += step) {
        touch_one(access.address + done, (uint32_t)step, ACCESS_READ, pc, true);
    }
    return access.array;
}

void emu_async_copy(void *to, const void *from, uint64_t bytes, uint64_t zeros) {
    struct emu_machine *machine = &machine_state;
    uint64_t pc = PLACE;
    struct access store = access_of(machine, to, bytes, ACCESS_WRITE, pc);
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes) {
        machine_crash(machine, CRASH_TRAP, pc);
    }
    if (!memory_find_shared(tracing_memory(machine), &store)) {
        machine_crash(machine, CRASH_NOT_SHARED, pc);
    }
    if (machine->counts) {
        count_async(machine->count, machine->current);
        count_copy_site(machine->count,
                        sites_number(machine->count_sites, instruction_of(machine, pc)));
    }
    if (machine->tracing) {
        tracing_copy(machine);
    }
    uint32_t source = source_touch(machine, from, bytes, bytes - zeros, pc);
    touch_one(store.address, store.bytes, ACCESS_WRITE, pc, true);
    memcpy(to, from, bytes - zeros);
    memset((char *)to + bytes - zeros, 0, zeros);
    if (machine->checks) {
        store.space = SPACE_SHARED;
        async_begin(machine->own.async, &store);
    }
    if (machine->tracing) {
        tracing_copied(machine, &store, source);
    }
}

void emu_async_commit(void) {
    if (machine_state.counts) {
        count_commit(machine_state.count, machine_state.current);
    }
    if (machine_state.checks) {
        async_commit(machine_state.own.async, machine_state.current);
    }
    if (machine_state.tracing) {
        tracing_commit(&machine_state);
    }
}

void emu_async_wait(uint64_t prior) {
    struct emu_machine *machine = &machine_state;
    struct async_copy copy;
    schedule_step(machine, PLACE);
    if (machine->tracing) {
        tracing_wait(machine, prior, PLACE);
    }
    if (machine->counts) {
        count_wait(machine->count, machine->current, prior);
    }
    while (machine->checks && async_finish(machine->own.async, machine->current, prior, &copy)) {
        struct access access = access_of(machine, (const void *)(uintptr_t)copy.address, copy.bytes,
                                         ACCESS_WRITE, copy.pc);
        (void)memory_find_shared(&machine->memory, &access);
        access.space = SPACE_SHARED;
        access.in_bounds = true;
        access.site = sites_come(machine->sites, copy.pc, machine->known.phase);
        race_access(machine->race, &access);
        if (machine->known.shared_words > 0) {
            known_forget_shared(&machine->known, copy.address - machine->memory.shared, copy.bytes);
        }
    }
}

void emu_async_wait_all(void) {
    emu_async_commit();
    emu_async_wait(0);
}

// Fences, loads and sums that acquire or release, and the other calls that order threads in a file
// with fences.  On this device all accesses are in the order of the source, so a fence is only an
// event for the race checker.
//
// The link takes this file only if the kernel file calls one of them: machine.c asks for emu_fence.
#include "emu/hooks/touch.h"

void emu_fence(void);
void emu_fence_block(void);
uint32_t emu_load_acquire_32(const uint32_t *address);
void emu_add_release_32(uint32_t *address, uint32_t value);

static void fence(uint64_t pc, enum follow_scope scope) {
    struct emu_machine *machine = &machine_state;
    schedule_step(machine, pc);
    if (machine->checks) {
        race_fence(machine->race, machine->current, scope);
    }
}

void emu_fence(void) {
    emu_flops[FLOPS_IDLE] += IDLE_FENCE_NS;
    fence(PLACE, FOLLOW_ALL);
}

void emu_fence_block(void) {
    fence(PLACE, FOLLOW_BLOCK);
}

// Like a volatile load (accesses.c), with a fence after it.
uint32_t emu_load_acquire_32(const uint32_t *address) {
    uint64_t at = (uint64_t)(uintptr_t)address;
    schedule_away(&machine_state);
    touch_strong(at, sizeof *address, ACCESS_READ, PLACE);
    touch_followed(at, &(struct follow_strong){.loads = true, .acquires = true});
    return *address;
}

// Like an atomic operation (accesses.c) that returns nothing, with a fence before it.
void emu_add_release_32(uint32_t *address, uint32_t value) {
    struct emu_machine *machine = &machine_state;
    uint64_t at = (uint64_t)(uintptr_t)address;
    uint64_t pc = PLACE;
    if (machine->order == ORDER_FORWARD) {
        schedule_away(machine);
    }
    schedule_step(machine, pc);
    race_atomic(machine->race, OPERATION_ADD, false);
    race_compares(machine->race, false, 0);
    touch_part(at, sizeof *address, ACCESS_ATOMIC, pc, true, 0, 0, false);
    *address += value;
    touch_followed(at, &(struct follow_strong){.stores = true, .adds = true, .releases = true});
    schedule_hand_over(machine, at, pc, OPERATION_ADD, true);
}

// Fences, and what else orders threads in a file that has them.  On this device all accesses are in
// the order of the source, so a fence is only an event for the race checker.
//
// The link takes this file only if the kernel file calls a fence: machine.c asks for emu_fence.
#include "emu/hooks/place.h"
#include "emu/machine/schedule.h"

void emu_fence(void);
void emu_fence_block(void);

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

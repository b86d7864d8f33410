// How a launch ends before its kernel does: with a finding about the running thread.
#ifndef EMU_MACHINE_STOP_H
#define EMU_MACHINE_STOP_H

#include "emu/machine/state.h"

// Ends the launch from inside a thread.
_Noreturn void machine_stop(struct emu_machine *machine);

// Reports FINDING_CRASH and ends the launch.
_Noreturn void machine_crash(struct emu_machine *machine, enum crash_cause cause, uint64_t pc);

// A finding about the running thread at pc, to fill in further.
struct finding machine_finding(const struct emu_machine *machine, enum finding_kind kind,
                               uint64_t pc);

// What the running thread does next depends on the blocks before its own (the clock), or shows in
// which order they ran (printf): where several processes run the launch, gives that up.
static inline void machine_need_order(struct emu_machine *machine) {
    if (machine->given_up) {
        machine_stop(machine);
    }
}

#endif

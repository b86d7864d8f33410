// Ends a launch before its kernel ends, with a finding about the running thread.
#ifndef EMU_MACHINE_STOP_H
#define EMU_MACHINE_STOP_H

#include "emu/machine/state.h"

// Ends the launch, called from inside a thread.
_Noreturn void machine_stop(struct emu_machine *machine);

// Reports FINDING_CRASH and ends the launch.
_Noreturn void machine_crash(struct emu_machine *machine, enum crash_cause cause, uint64_t pc);

// The same, as CUDA or PTX does not define the operation with this number.
_Noreturn void machine_refuse(struct emu_machine *machine, enum crash_cause cause, int64_t number,
                              uint32_t most, uint64_t pc);

// Returns a finding about the running thread at pc, for the caller to complete.
struct finding machine_finding(const struct emu_machine *machine, enum finding_kind kind,
                               uint64_t pc);

// The running thread is about to do something that depends on earlier blocks (the clock) or shows
// the order of blocks (printf).  If several processes run the launch, it is given up.
static inline void machine_need_order(struct emu_machine *machine) {
    if (machine->given_up) {
        machine_stop(machine);
    }
}

#endif

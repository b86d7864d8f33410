// Ends a launch before its kernel ends, with a finding about the running thread; signal handlers
// and the timer.
#ifndef EMU_MACHINE_STOP_H
#define EMU_MACHINE_STOP_H

#include <stdint.h>

#include "base/error.h"
#include "emu/machine/machine_state.h"

// Ends the launch, called from inside a thread.
_Noreturn void machine_stop(struct emu_machine *machine);

// Reports FINDING_CRASH and ends the launch.
_Noreturn void machine_crash(struct emu_machine *machine, enum crash_cause cause, uint64_t pc);

// Reports FINDING_CRASH and ends the launch: CUDA or PTX does not define the operation with this
// number.
_Noreturn void machine_refuse(struct emu_machine *machine, enum crash_cause cause, int64_t number,
                              uint32_t most, uint64_t pc);

// Returns a finding about the running thread at pc, for the caller to complete.
struct finding machine_finding(const struct emu_machine *machine, enum finding_kind kind,
                               uint64_t pc);

// The running thread is about to do something that depends on earlier blocks (the clock) or shows
// the order of blocks (printf).  If several processes run the launch, the shared run is given up.
static inline void machine_need_order(struct emu_machine *machine) {
    if (machine->given_up) {
        machine_stop(machine);
    }
}

// Installs the handlers for crashes of a kernel and for the timer.  Errors: STATUS_SYSTEM.
enum status crash_install(struct error *err);
// A launch ends if it makes no step for cpu_ms of processor time; 0: it may take any time.
void crash_timer_start(uint64_t cpu_ms);
void crash_timer_stop(void);

#endif

// griddepcontrol of ptx.cuh.  The launches run one after the other here, so a wait is only an event
// for a checker.
#include "emu/hooks/place.h"
#include "emu/machine/schedule.h"

void emu_grid_wait(void);

void emu_grid_wait(void) {
    struct emu_machine *machine = &machine_state;
    schedule_step(machine, PLACE);
    if (machine->overlap && machine->checks) {
        overlap_wait(machine->overlap, machine->current);
    }
}

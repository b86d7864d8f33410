// The observers of a machine: made when it opens, told of the begin and end of launches and blocks.
//
// A checker is its file, a row of the table in observers.c and a line in hooks/touch.h, which hands
// it accesses, inline.
#ifndef EMU_MACHINE_OBSERVERS_H
#define EMU_MACHINE_OBSERVERS_H

#include "emu/machine/machine_state.h"

// Makes the observers that the kernel file needs and that are not there yet: those of a set of a
// block, and with machine->own the machine's too.  No other set has this number in a launch.
// Errors: STATUS_NO_MEMORY.
enum status observers_need(struct emu_machine *machine, struct block_set *set, uint32_t number,
                           struct error *err);

// The same observers, for the launch in machine->shape.  Errors: STATUS_NO_MEMORY.
enum status observers_launch_begin(struct emu_machine *machine, struct block_set *set,
                                   struct error *err);

// The block in machine->block.place begins, and ends.
void observers_block_begin(struct emu_machine *machine);
void observers_block_end(struct emu_machine *machine);

#endif

// The observers of a machine: created when it opens, notified at the begin and end of launches and
// blocks.
//
// A checker is its file, a row of the table in observers.c and a line in hooks/touch.h, which hands
// it accesses, inline.
#ifndef EMU_MACHINE_OBSERVERS_H
#define EMU_MACHINE_OBSERVERS_H

#include "emu/machine/machine_state.h"

// Makes the missing observers that the kernel file needs: those of a block's set, and with
// machine->own also the machine's.  No other set has this number in a launch.
// Errors: STATUS_NO_MEMORY.
enum status observers_need(struct emu_machine *machine, struct block_set *set, uint32_t number,
                           struct error *err);

// Begins the same observers for the launch in machine->shape.  Errors: STATUS_NO_MEMORY.
enum status observers_launch_begin(struct emu_machine *machine, struct block_set *set,
                                   struct error *err);

// The block in machine->block.place begins, and ends.
void observers_block_begin(struct emu_machine *machine);
void observers_block_end(struct emu_machine *machine);

#endif

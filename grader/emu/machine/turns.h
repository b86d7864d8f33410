// Runs the blocks of each cluster in turns, each until it ends or its threads wait for others.
#ifndef EMU_MACHINE_TURNS_H
#define EMU_MACHINE_TURNS_H

#include "emu/machine/state.h"

// The launch that is set up, as schedule_launch runs it without clusters.
void cluster_run(struct emu_machine *machine);

#endif

// Sets up and runs one launch on the CPU device, and begins and ends its observers.
#ifndef EMU_MACHINE_MACHINE_H
#define EMU_MACHINE_MACHINE_H

#include "emu/machine/state.h"

// Sets up a launch: memory of these sizes for the arrays and the workspace, all 0, and no findings.
// Errors: STATUS_NO_MEMORY.
enum status machine_set_up(struct emu_machine *machine, const uint64_t bytes[GLOBAL_ARRAY_COUNT],
                           struct error *err);

// Sets up the next launch of the product and begins the observers that `checks` and `counts` ask
// for.  Errors: STATUS_NO_MEMORY.
enum status machine_launch(struct emu_machine *machine, const struct plan_launch *launch,
                           struct error *err);

// Runs the blocks of this process until they end or are stopped; fills result.end and
// result.counts.
void machine_run_blocks(struct emu_machine *machine, uint64_t budget, uint64_t cpu_ms);

#endif

// One launch on the CPU device: set up, run, its observers begun and ended.
#ifndef EMU_MACHINE_MACHINE_H
#define EMU_MACHINE_MACHINE_H

#include "emu/machine/state.h"

// Sets a product up, with the memory of A, B, C and the workspace, of so many bytes, all 0; nothing
// has been seen of it.  Errors: STATUS_NO_MEMORY.
enum status machine_set_up(struct emu_machine *machine, const uint64_t bytes[GLOBAL_ARRAY_COUNT],
                           struct error *err);

// Sets the next launch of the product up and begins the observers that `checks` and `counts` ask
// for.  Errors: STATUS_NO_MEMORY.
enum status machine_launch(struct emu_machine *machine, const struct plan_launch *launch,
                           struct error *err);

// Runs the blocks of this process until they end or are stopped; fills result.end and
// result.counts.
void machine_run_blocks(struct emu_machine *machine, uint64_t budget, uint64_t cpu_ms);

#endif

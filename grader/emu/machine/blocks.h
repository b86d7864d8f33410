// The blocks of one launch spread over several processes, with the same result as in one.
//
// A spread run counts only if it is perfectly clean: every share ended by itself, no finding of
// any severity, nothing that depends on the order of blocks (a kernel that prints or reads the
// clock), and no element of A, B or C that one process wrote and another touched.  Then no block
// can have seen another, and the order in which they ran says nothing.  Of everything else nothing
// is kept, and the launch runs again in one process, whose findings, order and counts are the only
// ones there are.  See decisions/0006-blocks-over-processes.md.
#ifndef EMU_MACHINE_BLOCKS_H
#define EMU_MACHINE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct emu_machine;

// How many of `processes` have a block to run; at least 1.
uint32_t blocks_processes(const struct emu_machine *machine, uint32_t processes);

// Runs the launch that is set up, observers begun, in `processes` processes, this one among them.
//
// Returns  true where the run is clean: memory, counts and coverage are those of the whole launch.
//          False where it is not, or where the system gives no process: set the launch up anew.
bool blocks_run(struct emu_machine *machine, uint32_t processes, uint64_t budget, uint64_t cpu_ms);

#endif

// Runs the blocks of one launch in several processes, with the same result as in one.
//
// Such a run counts only if it is perfectly clean: every share ended by itself, there is no finding
// of any severity, nothing depended on the order of blocks (printing, reading the clock), and no
// process touched an element of A, B or C that another one wrote.  Then no block can have observed
// another, and the order in which they ran does not matter.  Otherwise nothing of the run is kept,
// and the launch runs again in one process, which then gives all findings and counts.  See
// decisions/0006-blocks-over-processes.md.
#ifndef EMU_MACHINE_BLOCKS_H
#define EMU_MACHINE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct emu_machine;

// How many of `processes` have a block to run; at least 1.
uint32_t blocks_processes(const struct emu_machine *machine, uint32_t processes);

// Runs the launch, which is set up with its observers begun, in `processes` processes including
// this one.
//
// Returns  true if the run is clean: memory, counts and coverage are those of the whole launch.
//          False if it is not, or if the system cannot start a process: set the launch up again.
bool blocks_run(struct emu_machine *machine, uint32_t processes, uint64_t budget, uint64_t cpu_ms);

#endif

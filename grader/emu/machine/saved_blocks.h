// Blocks that wait: in a file with fences, a block whose threads seem to wait for another block is
// set aside, with copies of its stacks and its shared memory, and goes on later.
//
// All blocks use the same stacks and the same shared memory, one at a time, so that pointers into
// them stay valid.
#ifndef EMU_MACHINE_SAVED_BLOCKS_H
#define EMU_MACHINE_SAVED_BLOCKS_H

#include "emu/machine/machine_state.h"

// The machine uses this set from now on.
void block_set_become(struct emu_machine *machine, const struct block_set *parts);

struct saved_block;

// Saves the running block, and restores it.  A cluster keeps the shared memory of its blocks, so
// this memory is not saved.  Returns NULL if there is no memory.
//
// Owns: the caller gives it to saved_block_restore, which keeps the memory for the next one, or to
// saved_block_free, which accepts NULL.
struct saved_block *saved_block_new(struct emu_machine *machine);
void saved_block_restore(struct saved_block *aside, struct emu_machine *machine);
void saved_block_free(struct saved_block *aside);

// Sets the running block aside.  Returns false if that is impossible: too many wait already, or
// there is no memory.
//
// paused  it lets others run, and does not wait for them.
bool block_save(struct emu_machine *machine, bool paused);

// Makes one of the blocks that were set aside the running block again.  At least one must wait.
void block_resume(struct emu_machine *machine);

// Forgets all waiting blocks, at the end of a launch.
void blocks_forget(struct emu_machine *machine);

#endif

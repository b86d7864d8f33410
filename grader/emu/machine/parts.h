// What a block has of its own as well as its threads: the checkers of shared memory, and its
// mbarriers.  A block that others run in turns with has a set that no other one uses meanwhile.
#ifndef EMU_MACHINE_PARTS_H
#define EMU_MACHINE_PARTS_H

#include "emu/machine/state.h"

// A set for the launches of this machine, with a number that no other set has while it is used; the
// machine's own is 0.  Errors: STATUS_NO_MEMORY.
//
// Owns: the caller frees with block_set_free, which accepts an empty set.
enum status block_set_new(const struct emu_machine *machine, uint32_t number,
                          struct block_set *ret_parts, struct error *err);
void block_set_free(struct block_set *parts);

// For the launch in machine->shape.  Errors: STATUS_NO_MEMORY.
enum status block_set_launch_begin(struct emu_machine *machine, struct block_set *parts,
                                   struct error *err);
void block_set_launch_end(const struct emu_machine *machine, struct block_set *parts);

// Those that the machine uses; and from now on it uses these.
static inline struct block_set block_set_of(const struct emu_machine *machine) {
    return (struct block_set){.uninit = machine->uninit,
                              .async = machine->async,
                              .bulk = machine->bulk,
                              .mbarriers = machine->mbarriers,
                              .wgmma = machine->wgmma};
}
static inline void block_set_use(struct emu_machine *machine, const struct block_set *parts) {
    machine->uninit = parts->uninit;
    machine->async = parts->async;
    machine->bulk = parts->bulk;
    machine->mbarriers = parts->mbarriers;
    machine->wgmma = parts->wgmma;
}
// The same while a program runs.
void block_set_become(struct emu_machine *machine, const struct block_set *parts);

#endif

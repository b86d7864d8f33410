// What a block has of its own as well as its threads: the checkers of shared memory, and its
// mbarriers.  A block that others run in turns with has a set that no other one uses meanwhile.
#ifndef EMU_MACHINE_PARTS_H
#define EMU_MACHINE_PARTS_H

#include "emu/machine/state.h"

// A set for the launches of this machine, with a number that no other set has while it is used; the
// machine's own is 0.  Errors: STATUS_NO_MEMORY.
//
// Owns: the caller frees with parts_free, which accepts an empty set.
enum status parts_new(const struct emu_machine *machine, uint32_t number, struct parts *ret_parts,
                      struct error *err);
void parts_free(struct parts *parts);

// For the launch in machine->shape.  Errors: STATUS_NO_MEMORY.
enum status parts_launch_begin(struct emu_machine *machine, struct parts *parts, struct error *err);
void parts_launch_end(const struct emu_machine *machine, struct parts *parts);

// Those that the machine uses; and from now on it uses these.
static inline struct parts parts_of(const struct emu_machine *machine) {
    return (struct parts){.uninit = machine->uninit,
                          .async = machine->async,
                          .bulk = machine->bulk,
                          .mbarriers = machine->mbarriers,
                          .wgmma = machine->wgmma};
}
static inline void parts_use(struct emu_machine *machine, const struct parts *parts) {
    machine->uninit = parts->uninit;
    machine->async = parts->async;
    machine->bulk = parts->bulk;
    machine->mbarriers = parts->mbarriers;
    machine->wgmma = parts->wgmma;
}
// The same while a program runs.
void parts_become(struct emu_machine *machine, const struct parts *parts);

#endif

// The usual access of a launch that is counted, in a block that no checker watches: aligned, inside
// the same array as the last one of its instruction, of shared memory or a load of A or B.
//
// It does for the access what touch.h does for any, in a fifth of the instructions: it only adds to
// the log of the lane.  Loads of A and B need no note in the coverage map: no kernel may write
// there, so that they conflict with nothing (coverage_map_add), and what was never read is asked
// only if all accesses are checked.
#ifndef EMU_HOOKS_COUNTED_H
#define EMU_HOOKS_COUNTED_H

#include "emu/machine/state.h"

// Place and caller as one number: a helper called from two lines is two instructions on a GPU,
// which inlines it.
static inline uint64_t instruction_of(const struct emu_machine *machine, uint64_t pc) {
    return pc ^ machine->caller_mix;
}

// What the access logs if it is usual, else NULL.
static inline __attribute__((always_inline)) const struct count_usual *
counted_find(const struct emu_machine *machine, uint64_t address, uint32_t bytes, uint64_t pc) {
    uint64_t instruction = instruction_of(machine, pc);
    const struct count_usual *usual = count_usual_of(machine->count, instruction);
    bool same = usual->instruction == instruction && address - usual->start <= usual->room &&
                address % bytes == 0;
    return __builtin_expect(same, 1) ? usual : NULL;
}

// Notes what was just logged, if further accesses of this instruction are usual.
static inline __attribute__((always_inline)) void counted_learn(const struct emu_machine *machine,
                                                                const struct access *access) {
    bool constant = access->kind == ACCESS_READ && (machine->memory.inputs >> access->array & 1);
    if (machine->only_counts && access->in_bounds && access->bytes <= access->array_bytes &&
        (access->space == SPACE_SHARED || constant)) {
        uint64_t instruction = instruction_of(machine, access->pc);
        *count_usual_of(machine->count, instruction) =
            (struct count_usual){.instruction = instruction,
                                 .start = access->address - (uint64_t)access->offset,
                                 .room = access->array_bytes - access->bytes,
                                 .key = count_key(access)};
    }
}

#endif

// Fibers: one stack per thread of a block, and a switch between them that costs a few nanoseconds.
//
// A switch saves the callee-saved registers only; the signal mask and the floating-point modes
// belong to the process.
#ifndef EMU_MACHINE_FIBER_H
#define EMU_MACHINE_FIBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define FIBER_GUARD_BYTES 65536u  // no page is larger; one probe of a stack cannot skip it

// All stacks, side by side, each with an inaccessible guard below it.
struct fiber_stacks {
    unsigned char *memory;
    uint32_t ready;  // stacks that are accessible; the others are only reserved
};

struct fiber {
    void *stack_pointer;  // while it does not run
};

// Errors: STATUS_NO_MEMORY.
enum status fiber_stacks_open(struct fiber_stacks *ret_stacks, struct error *err);
void fiber_stacks_close(struct fiber_stacks *stacks);

// Makes the first `count` stacks accessible.  Errors: STATUS_NO_MEMORY.
enum status fiber_stacks_need(struct fiber_stacks *stacks, uint32_t count, struct error *err);

// Fills the upper part of a stack, which is all that a kernel usually needs, with bytes that make a
// float NaN: in a new block, local variables have no value.
void fiber_stack_junk(const struct fiber_stacks *stacks, uint32_t index);

// The lowest address of stack `index`.
uint64_t fiber_stack_low(const struct fiber_stacks *stacks, uint32_t index);

// Makes a fiber that will call entry (which never returns) on stack `index` when first switched to.
void fiber_start(struct fiber *fiber, const struct fiber_stacks *stacks, uint32_t index,
                 void (*entry)(void));

// Saves the running fiber in *from and resumes `to`.  In fiber_<architecture>.S.
void fiber_switch(struct fiber *from, const struct fiber *to);

#endif

// Decides which block runs, and which of its threads.
#ifndef EMU_MACHINE_SCHEDULE_H
#define EMU_MACHINE_SCHEDULE_H

#include "emu/machine/machine_state.h"

// Runs the blocks of this process, in the launch that is set up.  Returns normally or through
// machine_state.stop.
void schedule_launch(struct emu_machine *machine);

// The accesses and barrier arrivals of this launch so far.
uint64_t schedule_steps(const struct emu_machine *machine);

// Lets the other threads run until this one is ready again and its turn comes.
void schedule_away(struct emu_machine *machine);

// The running thread waits in a __syncthreads() at pc.  Returns the number of threads whose
// predicate was true.
uint32_t schedule_barrier(struct emu_machine *machine, uint64_t pc, bool predicate);

// The same without a predicate, for a thread that has saved its registers on its stack
// (fiber_<architecture>.S).  Returns the stack pointer of the fiber to resume.
void *schedule_meet(uint64_t pc, void *stack_pointer);

// The slow half of schedule_hand_over.  Not to be called directly.
void schedule_take_turns(struct emu_machine *machine, uint64_t address, uint64_t pc,
                         uint32_t operation);

// The running thread makes a strong access to a word at pc, by which blocks may affect each other.
// If blocks take turns, other blocks may run here.  Called after an atomic operation, and before a
// volatile store.
//
// operation  enum race_operation.
// changed    the word has another value now.
static inline void schedule_hand_over(struct emu_machine *machine, uint64_t address, uint64_t pc,
                                      uint32_t operation, bool changed) {
    const struct memory *memory = &machine->memory;
    bool workspace = address - memory->start[ARRAY_WORKSPACE] < memory->bytes[ARRAY_WORKSPACE];
    // Additions to an output, like those of a histogram, hand nothing over.
    if (operation != OPERATION_ADD || (workspace && changed)) {
        schedule_take_turns(machine, address, pc, operation);
    }
}

// Charges one step to the budget: call it where a thread could loop forever.  pc is the place in
// the kernel.
void schedule_slice_over(struct emu_machine *machine, uint64_t pc);

static inline bool schedule_step_over(struct emu_machine *machine) {
    return __builtin_expect(--machine->accesses_left < 0, 0);
}

static inline void schedule_step(struct emu_machine *machine, uint64_t pc) {
    if (schedule_step_over(machine)) {
        schedule_slice_over(machine, pc);
    }
}

// The launch that is set up, as schedule_launch runs it without clusters.
void cluster_run(struct emu_machine *machine);

#endif

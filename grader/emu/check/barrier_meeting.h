// Checker: all threads of a block meet at the same __syncthreads().
#ifndef EMU_CHECK_BARRIER_MEETING_H
#define EMU_CHECK_BARRIER_MEETING_H

#include "emu/memory/events.h"
#include "emu/wire/finding.h"

enum barrier_state {
    BARRIER_WAITING,  // at the __syncthreads() at pc
    BARRIER_EXITED,   // has ended, by the `return` at pc, or (0) at the end of the kernel
};

struct barrier_thread {
    uint64_t pc;
    uint32_t state;  // enum barrier_state
};

// Judges the threads of one block at a barrier: call it when each thread has ended or waits at a
// __syncthreads().  It may be skipped if all threads of the block wait at one pc.
//
// Shapes   threads[shape->thread_count], by linear index in the block.
// Returns  true if the block cannot go on: threads wait at different places, or some have bypassed
//          the barrier and run to the end (FINDING_BARRIER_DIVERGENCE, an error).  False if the
//          block may go on; if some returned early, that is FINDING_EXITED_BEFORE_BARRIER, a
//          warning, because a barrier does not wait for them.
bool barrier_meet(struct findings *findings, const struct launch_shape *shape,
                  const struct block_place *place, const struct barrier_thread *threads);

#endif

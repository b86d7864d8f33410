// The order in which the warps of a traced block do things, from barrier to barrier.
//
// Each thread has a clock that counts what it does.  Between two barriers, acts of the same sort,
// such as "loads from A", count as one act from the first to the last time.  Sorts that no lane
// separates, such as those in one loop, share a slot.
#ifndef EMU_COUNT_TIMELINE_H
#define EMU_COUNT_TIMELINE_H

#include "emu/memory/events.h"
#include "emu/wire/trace.h"

struct timeline;

// NULL: no memory.
struct timeline *timeline_new(uint32_t thread_count);
void timeline_free(struct timeline *timeline);

// A load, store or atomic operation.
void timeline_access(struct timeline *timeline, const struct access *access);

// An asynchronous copy to shared memory.  from: the global array, or ARRAY_NONE if it stores zeros
// alone.
void timeline_copy(struct timeline *timeline, const struct access *to, uint32_t from);
// The thread closes a group of copies; waits for all but its last `prior` groups.
void timeline_commit(struct timeline *timeline, uint32_t thread);
void timeline_wait(struct timeline *timeline, uint32_t thread, uint64_t prior, uint64_t pc);

// Floating-point operations of a thread, since its last act.
void timeline_compute(struct timeline *timeline, uint32_t thread, uint64_t operations);

// The block passes the barrier at pc.
void timeline_barrier(struct timeline *timeline, uint64_t pc);

// Ends the last step and writes what the warps did; warps that do the same are one team.
void timeline_end(struct timeline *timeline, struct trace *trace);

#endif

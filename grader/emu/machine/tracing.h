// A launch of one block in which every access is written down and none is checked: a run of its
// own, after those that check and count.
#ifndef EMU_MACHINE_TRACING_H
#define EMU_MACHINE_TRACING_H

#include "base/error.h"
#include "emu/memory/events.h"
#include "emu/wire/trace.h"

struct emu_machine;
struct tracing;

// Sets a trace up over the launch that is set up: the second block each way, where there is one.
// Until tracing_end, the machine finds neither its shared nor its global memory, so that every
// access comes to tracing_access by the way of those that are neither, and the usual way stays
// without a question more.  Errors: STATUS_NO_MEMORY.
enum status tracing_begin(struct emu_machine *machine, struct error *err);

// Writes an access down.  Returns false where it is none of A, B, C or a __shared__ array.  Ends
// the launch where it is outside its array or odd: what is wrong is told by those that check.
bool tracing_access(struct emu_machine *machine, struct access *access);

// The block has passed a barrier.
void tracing_barrier(struct emu_machine *machine);

// Folds what was written down.  Errors: STATUS_NO_MEMORY.
enum status tracing_end(struct emu_machine *machine, struct trace *ret_trace, struct error *err);

#endif

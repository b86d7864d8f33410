// Traces one block: a separate launch that records every access and checks none, after the launches
// that check and count.
#ifndef EMU_MACHINE_TRACING_H
#define EMU_MACHINE_TRACING_H

#include "base/error.h"
#include "emu/memory/events.h"
#include "emu/wire/trace.h"

struct emu_machine;
struct tracing;

// Begins a trace of the launch that is set up: of its first block if `observe` has EMU_FIRST, of
// its last with EMU_LAST, or else of its second in x and y, if there is one.
// Until tracing_end the machine finds neither its shared nor its global memory.  So every access
// takes the path for other memory, which calls tracing_access, and the usual path needs no extra
// test.  Errors: STATUS_NO_MEMORY.
enum status tracing_begin(struct emu_machine *machine, uint32_t observe, struct error *err);

// Records an access.  Returns false if the access is not to A, B, C or a __shared__ array.  Ends
// the launch if it is out of bounds or misaligned; the launches with checks report that.
bool tracing_access(struct emu_machine *machine, struct access *access);

// The places of A, B, C and the shared arrays, whether a launch is traced or not.
const struct memory *tracing_memory(const struct emu_machine *machine);

// An asynchronous copy begins: its two accesses follow, and then tracing_copied.
void tracing_copy(struct emu_machine *machine);
// to: its store.  from: the global array that it reads, or ARRAY_NONE.
void tracing_copied(struct emu_machine *machine, const struct access *to, uint32_t from);
void tracing_commit(struct emu_machine *machine);
void tracing_wait(struct emu_machine *machine, uint64_t prior, uint64_t pc);

// Another thread runs from now on.
void tracing_turn(struct emu_machine *machine);

// The block has passed a barrier.
void tracing_barrier(struct emu_machine *machine);

// Folds the recorded accesses.  Errors: STATUS_NO_MEMORY.
enum status tracing_end(struct emu_machine *machine, struct trace *ret_trace, struct error *err);

#endif

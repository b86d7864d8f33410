// The accesses of the threads of one block, folded, for drawings of which thread loads what.
//
// A kernel's indices are sums of multiples of the thread's indices and of loop counters.  So the
// accesses of one place in the kernel between two barriers are few boxes: a first element, and
// steps along a loop, an outer loop, the threads of a row, and the rows of the block.  Irregular
// accesses take more boxes.  If there are too many, the trace is marked as cut.
#ifndef EMU_WIRE_TRACE_H
#define EMU_WIRE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/wire/finding.h"

#define TRACE_EVENTS_MAX (1u << 18)  // accesses in a trace: 256 for each of 1024 threads
#define TRACE_BOXES_MAX  320
#define TRACE_STEPS      4  // inner loop, outer loop, x of the thread, y of the thread

// One access of one thread.
struct trace_event {
    uint64_t pc;      // as in struct access
    uint32_t phase;   // barriers that the block had passed
    int32_t offset;   // bytes from the start of the array
    uint16_t thread;  // linear
    uint16_t array;   // as in struct access
    uint8_t space;    // SPACE_GLOBAL or SPACE_SHARED
    uint8_t kind;     // enum access_kind
    uint8_t bytes;
};

// One step changes the thread and the offset by these.
struct trace_step {
    uint32_t count;  // at least 1; for an unused step 1, with the rest 0
    int32_t thread;
    int32_t offset;  // bytes
};

struct trace_box {
    uint64_t pc;
    uint32_t line;  // of the source, filled in by the judge; 0 if not known
    uint32_t phase;
    uint32_t space;
    uint32_t array;
    uint32_t kind;
    uint32_t bytes;
    uint32_t thread;  // the first
    int32_t offset;   // of its first access
    struct trace_step step[TRACE_STEPS];
};

struct trace {
    uint32_t block[3];  // blockIdx
    uint32_t phases;    // barriers passed, plus 1; 0: no trace
    uint32_t cut;       // not 0: some accesses are missing
    uint32_t count;
    struct trace_box box[TRACE_BOXES_MAX];  // by phase, place in the program, then thread
};

// Folds accesses that are in the order in which each thread made them.  Sorts events.
//
// block    extents, x y z.
// Returns  false: no memory.
bool trace_fold(struct trace_event *events, uint32_t count, const uint32_t block[3],
                struct trace *trace);

// True if trace_fold can have made this trace from a block of these extents with this many shared
// arrays.
bool trace_check(const struct trace *trace, const uint32_t block[3], uint32_t shared_count);

#endif

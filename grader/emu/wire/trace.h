// The accesses of the threads of one block, folded, for drawings that show what each thread loads.
//
// A kernel's indices are sums of multiples of the thread's indices and of loop counters.  So the
// accesses of one place in the kernel between two barriers form a few boxes: a first element, and
// steps along a loop, an outer loop, the threads of a row, and the rows of the block.  Irregular
// accesses take more boxes.  If there are too many, the trace is marked as cut.
#ifndef EMU_WIRE_TRACE_H
#define EMU_WIRE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/wire/finding.h"

#define TRACE_EVENTS_MAX (1u << 18)  // accesses in a trace: 256 for each of 1024 threads
#define TRACE_BOXES_MAX  320
#define TRACE_ACTS_MAX   320
#define TRACE_TEAMS_MAX  4
#define TRACE_COPIES_MAX 64
#define TRACE_TIMES_MAX  1000000u
#define TRACE_NEVER      0xffffffffu
#define TRACE_STEPS      4  // inner loop, outer loop, x of the thread, y of the thread

// Kinds of a box or an act besides enum access_kind.
enum trace_kind {
    TRACE_ZERO = ACCESS_KIND_COUNT,  // a store to shared memory, which is 0 at the next barrier
    TRACE_COPY,                      // only for acts: an asynchronous copy is issued
    TRACE_WAIT,                      // … and waited for
    TRACE_COMPUTE,                   // floating-point operations
    TRACE_BARRIER,
    TRACE_KIND_COUNT,
};

// One access of one thread.
struct trace_event {
    uint64_t pc;         // as in struct access
    uint32_t phase;      // barriers that the block had passed
    int32_t offset;      // bytes from the start of the array
    uint32_t shared_at;  // bytes from the start of shared memory
    uint16_t thread;     // linear
    uint16_t array;      // as in struct access
    uint8_t space;       // SPACE_GLOBAL or SPACE_SHARED
    uint8_t kind;        // enum access_kind, or TRACE_ZERO
    uint8_t bytes;
};

// Each step changes the thread and the offset by these amounts.
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

// An act of the warps of a team between two barriers; all acts of one sort count as one.
struct trace_act {
    uint64_t pc;    // of the first such act; 0 if unknown
    uint32_t line;  // of the source, filled in by the judge; 0 if not known
    uint32_t team;
    uint32_t step;   // barriers that the block had passed
    uint32_t slot;   // its place in the order of the step; acts of one slot alternate, as in a loop
    uint32_t kind;   // enum access_kind or trace_kind
    uint32_t space;  // of array
    uint32_t array;  // of a copy: the global array, or ARRAY_NONE if it stores zeros
    uint32_t to;     // of a copy: the shared array
    uint32_t lanes;  // participating lanes, in the warp with the most
    uint32_t times;  // of the lane with the most; for TRACE_COMPUTE: operations
    int32_t low, high;  // first and last byte of the array; for a copy, of the shared array
};

// A group of asynchronous copies of a team.
struct trace_copy {
    uint32_t team;
    uint32_t group;  // its number
    uint32_t to;     // the shared array
    uint32_t issued;
    uint32_t done;  // the step of the wait, or TRACE_NEVER
    int32_t low, high;
};

struct trace {
    uint32_t block[3];  // blockIdx
    uint32_t phases;    // barriers passed, plus 1; 0: no trace
    uint32_t cut;       // not 0: some accesses are missing
    uint32_t count;
    struct trace_box box[TRACE_BOXES_MAX];  // by phase, place in the program, then thread
    uint32_t acts_cut;                      // not 0: some acts are missing
    uint32_t team_count;
    uint32_t team[TRACE_TEAMS_MAX];  // its warps, as bits
    uint32_t act_count;
    struct trace_act act[TRACE_ACTS_MAX];  // by team, step and slot
    uint32_t copy_count;
    struct trace_copy copy[TRACE_COPIES_MAX];  // by team and number
};

// Folds accesses that are in the order in which each thread made them.  Sorts events.
//
// block    extents, x y z.
// Returns  false: no memory.
bool trace_fold(struct trace_event *events, uint32_t count, const uint32_t block[3],
                struct trace *trace);

// True if trace_fold could have made this trace from a block of these extents with this many shared
// arrays.
bool trace_check(const struct trace *trace, const uint32_t block[3], uint32_t shared_count);

#endif

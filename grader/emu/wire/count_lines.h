// The work of a launch by place: a bounded, sorted table, so that the tables of several processes
// add up to the same sum in any order.
//
// If there are too many places, those at the lowest addresses are kept, so that each kept place has
// complete sums.
#ifndef EMU_WIRE_COUNT_LINES_H
#define EMU_WIRE_COUNT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define COUNT_LINES_MAX 64  // places in each table

// Kinds of memory instructions.
enum count_kind {
    COUNT_GLOBAL_LOAD,
    COUNT_GLOBAL_STORE,
    COUNT_GLOBAL_ATOMIC,
    COUNT_SHARED_LOAD,
    COUNT_SHARED_STORE,
    COUNT_SHARED_ATOMIC,
    COUNT_KINDS
};

// One place that accesses memory.
struct count_line {
    uint64_t pc;    // return address of its callback; 0 for places without their own entry
    uint32_t kind;  // enum count_kind
    uint32_t line;  // of the source, filled in by the judge; 0 if not known
    uint64_t requests;
    uint64_t units;  // sectors of global memory, wavefronts of shared memory
    uint64_t ideal;
    uint64_t bytes;
    uint64_t lanes;
};

// The floating-point operations of one source line; line 0 is code whose line is not known.
struct count_flops {
    uint64_t line;
    uint64_t flops;
};

struct count_lines {
    uint32_t count;
    uint32_t flops_count;
    struct count_line access[COUNT_LINES_MAX];  // by pc, then kind
    struct count_flops flops[COUNT_LINES_MAX];  // by line
};

// Add one place to a table: to the entry with its pc and kind (with its line), or as a new entry.
void count_lines_put(struct count_lines *lines, const struct count_line *line);
void count_lines_put_flops(struct count_lines *lines, uint64_t line, uint64_t flops);

void count_lines_add(struct count_lines *sum, const struct count_lines *more);

// True if these functions can have made this table: checks bounds, order and kinds.
bool count_lines_check(const struct count_lines *lines);

#endif

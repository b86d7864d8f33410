// The work of a launch by place: a bounded table, sorted, so that the tables of several processes
// add up to the same one in whatever order they come.
//
// Of more places than there is room for, those at the lowest addresses are kept: what is kept is
// then complete in every sum.
#ifndef EMU_WIRE_COUNT_LINES_H
#define EMU_WIRE_COUNT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define COUNT_LINES_MAX 64  // places of each table

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
    uint64_t pc;    // return address of its callback; 0 for places not told apart
    uint32_t kind;  // enum count_kind
    uint32_t line;  // of the source, filled in by the judge; 0 where it is not known
    uint64_t requests;
    uint64_t units;  // sectors of global memory, wavefronts of shared memory
    uint64_t ideal;
    uint64_t bytes;
    uint64_t lanes;
};

// The floating-point operations of one source line; 0: of code whose line is not known.
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

// Add one place to a table: to the entry of its pc and kind (its line), or as a new one.
void count_lines_put(struct count_lines *lines, const struct count_line *line);
void count_lines_put_flops(struct count_lines *lines, uint64_t line, uint64_t flops);

void count_lines_add(struct count_lines *sum, const struct count_lines *more);

// True for a table that these functions can have made: bounds, order, kinds.
bool count_lines_check(const struct count_lines *lines);

#endif

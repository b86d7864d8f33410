// What the launches of a product missed: elements of A and B that no thread read, and elements of C
// that no thread wrote.
//
// A tile count that is rounded down, or a grid that is too small, makes no illegal access; it shows
// here, as the last rows or columns.
#ifndef EMU_WIRE_COVERAGE_H
#define EMU_WIRE_COVERAGE_H

#include <stdint.h>

#include "emu/wire/finding.h"

// The missed elements of one array: not read (A, B) or not written (C).  All 0 if none is missed.
// An atomic operation reads and writes.  An element counts as touched if any of its bytes was.
struct coverage_gap {
    uint64_t missing;       // elements
    uint32_t first[2];      // the smallest box around them all: row and column of its first
    uint32_t last[2];       // … and of its last element
    uint32_t row_count;     // rows without any touched element …
    uint32_t rows[2];       // … the first and the last of them; both 0 if none
    uint32_t column_count;  // the same for columns
    uint32_t columns[2];
};

// Valid if all launches finished, with all checks; else all 0.
struct coverage {
    struct coverage_gap gap[MATRIX_COUNT];
};

#endif

// What reports draw: where C is wrong, and what one block accesses.
#ifndef JUDGE_MODEL_PICTURES_H
#define JUDGE_MODEL_PICTURES_H

#include <stdint.h>

#include "base/size.h"
#include "exercise/signature.h"
#include "emu/wire/finding.h"
#include "emu/wire/trace.h"

#define WRONG_TILES_MAX 32  // rows and columns of a picture

struct wrong_tiles {
    struct size size;       // the size of the launch; m = 0: there is no picture
    int32_t edge;           // rows and columns of C in a square, a power of 2
    int32_t rows, columns;  // squares in a column and in a row of the picture
    uint64_t wrong;         // elements of C that are not right
    uint32_t count[WRONG_TILES_MAX][WRONG_TILES_MAX];  // wrong elements in each square
};

#define WRONG_CELLS_MAX   1024  // elements of a C that is explained element by element
#define WRONG_CELLS_DEPTH 64    // terms of a sum of which runs are tried

// What is known of the value of a wrong element.
enum cell_value {
    CELL_UNKNOWN,  // not yet examined
    CELL_UNWRITTEN,
    CELL_ZERO,
    CELL_NOT_FINITE,
    CELL_PLACE,    // the value of another element alone: fact is its row and column
    CELL_MISSING,  // the sum without a run of terms: fact is the first and the last k
    CELL_TWICE,    // the sum with a run of terms twice: as above
    CELL_OTHER,
    CELL_COUNT,
};

struct wrong_cell {
    int16_t row, column;
    int16_t fact[2];
    uint8_t held;  // enum cell_value
};

// What the wrong elements of a small C hold instead.
struct wrong_cells {
    struct size size;  // of the launch; m = 0: there is no picture
    int32_t count;
    struct wrong_cell cell[WRONG_CELLS_MAX];
};

// What one block accesses at a small size.
struct index_map {
    const struct signature *signature;  // of the exercise; borrowed
    struct size size;
    uint32_t threads[3];  // the shape of a block
    uint32_t blocks[3];   // the shape of the grid
    uint32_t launches;    // launches that the result takes …
    uint32_t launch;      // … and which of them this is, from 0: the one that does most
    struct trace trace;
    struct shared_array_table shared;  // names and extents of its arrays
};

// The same kernel at whole tiles, in two blocks, and at a size whose last tiles reach beyond C.
#define INDEX_MAPS_MAX 3
struct index_maps {
    struct size tile;  // of a product: rows and columns of C that a block computes, and how far a
                       // phase goes; else 0
    int count;         // at least 1
    struct index_map map[INDEX_MAPS_MAX];
};

#endif

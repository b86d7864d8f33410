// What reports draw: where C is wrong, and what one block accesses.
#ifndef JUDGE_MODEL_PICTURES_H
#define JUDGE_MODEL_PICTURES_H

#include <stdint.h>

#include "base/size.h"
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

// What one block accesses at a small size.
struct index_map {
    struct size size;
    uint32_t threads[3];  // the shape of a block
    uint32_t blocks[3];   // the shape of the grid
    uint32_t launches;    // launches that make the product; the first was traced
    struct trace trace;
    struct shared_array_table shared;  // names and extents of its arrays
};

#endif

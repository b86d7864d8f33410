// Where C is wrong, square by square: for a picture of it.
#ifndef JUDGE_ORACLE_WRONG_TILES_H
#define JUDGE_ORACLE_WRONG_TILES_H

#include <stdint.h>

#include "base/size.h"

#define WRONG_TILES_MAX 32  // rows and columns of a picture

struct wrong_tiles {
    struct size size;       // of the launch; m = 0: there is no picture
    int32_t edge;           // rows and columns of C in a square, a power of 2
    int32_t rows, columns;  // of squares
    uint64_t wrong;         // elements of C that are not right
    uint32_t count[WRONG_TILES_MAX][WRONG_TILES_MAX];  // the same of each square
};

// Compares C with the product of exact inputs; an element that was never written is wrong too.
//
// Shapes   A [M][K], B [K][N], C [M][N].
// Returns  in ret_tiles a picture of the finest squares that fit.
void wrong_tiles_count(struct size size, const float *a, const float *b, const float *c,
                       struct wrong_tiles *ret_tiles);

#endif

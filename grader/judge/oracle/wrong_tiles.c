// Counts by square: see wrong_tiles.h.
#include "judge/oracle/wrong_tiles.h"

#include <stdbool.h>
#include <string.h>

// The smallest edge with which WRONG_TILES_MAX squares cover each dimension.
static int32_t edge_of(struct size size) {
    int32_t longest = size.m > size.n ? size.m : size.n;
    int32_t edge = 1;
    while ((longest + edge - 1) / edge > WRONG_TILES_MAX) {
        edge *= 2;
    }
    return edge;
}

// Exact inputs: fp64 holds every partial sum.  NaN is not right.
static bool is_wrong(const struct matmul *matmul, int32_t row, int32_t column) {
    const struct size size = matmul->size;
    double want = 0.0;
    for (int32_t k = 0; k < size.k; k++) {
        want += (double)matmul->a[(size_t)row * (size_t)size.k + (size_t)k] *
                (double)matmul->b[(size_t)k * (size_t)size.n + (size_t)column];
    }
    return !((double)matmul->c[(size_t)row * (size_t)size.n + (size_t)column] == want);
}

void wrong_tiles_count(const struct matmul *matmul, struct wrong_tiles *ret_tiles) {
    const struct size size = matmul->size;
    struct wrong_tiles *tiles = ret_tiles;
    memset(tiles, 0, sizeof *tiles);
    tiles->size = size;
    tiles->edge = edge_of(size);
    tiles->rows = (size.m + tiles->edge - 1) / tiles->edge;
    tiles->columns = (size.n + tiles->edge - 1) / tiles->edge;
    for (int32_t row = 0; row < size.m; row++) {
        for (int32_t column = 0; column < size.n; column++) {
            if (is_wrong(matmul, row, column)) {
                tiles->count[row / tiles->edge][column / tiles->edge]++;
                tiles->wrong++;
            }
        }
    }
}

// Counts wrong elements by square, and tries all facts on each wrong element of a small C.
//
// The values of exact inputs are integers below 2^24.  So equal values are seldom equal by chance,
// and a value that allows two facts gets none.
#include "judge/oracle/wrong_picture.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "judge/model/inputs.h"

// All of C, and its right values.
struct cell_product {
    struct size size;
    const float *a, *b;
    int64_t want[WRONG_CELLS_MAX];  // [M][N]
};

static int64_t *want_of(struct cell_product *product, int32_t row, int32_t column) {
    return &product->want[row * product->size.n + column];
}

static int64_t term_of(const struct cell_product *product, int32_t row, int32_t column, int32_t k) {
    const struct size *size = &product->size;
    return (int64_t)product->a[row * size->k + k] * (int64_t)product->b[k * size->n + column];
}

static void product_fill(struct cell_product *product) {
    for (int32_t row = 0; row < product->size.m; row++) {
        for (int32_t column = 0; column < product->size.n; column++) {
            int64_t sum = 0;
            for (int32_t k = 0; k < product->size.k; k++) {
                sum += term_of(product, row, column, k);
            }
            *want_of(product, row, column) = sum;
        }
    }
}

// Notes a fact; the second one of an element leaves it without any.
static void fact_note(struct wrong_cell *cell, enum cell_value held, int32_t first,
                      int32_t second) {
    bool is_first = cell->held == CELL_UNKNOWN;
    cell->held = is_first ? (uint8_t)held : CELL_OTHER;
    cell->fact[0] = is_first ? (int16_t)first : 0;
    cell->fact[1] = is_first ? (int16_t)second : 0;
}

static void places_try(struct cell_product *product, int64_t got, struct wrong_cell *cell) {
    for (int32_t row = 0; row < product->size.m; row++) {
        for (int32_t column = 0; column < product->size.n; column++) {
            if (*want_of(product, row, column) == got) {
                fact_note(cell, CELL_PLACE, row, column);
            }
        }
    }
}

// Neighbouring terms that are not in the sum, or twice.
static void runs_try(struct cell_product *product, int64_t got, struct wrong_cell *cell) {
    int64_t left = *want_of(product, cell->row, cell->column) - got;
    if (product->size.k > WRONG_CELLS_DEPTH) {
        return;
    }
    for (int32_t first = 0; first < product->size.k; first++) {
        int64_t sum = 0;
        for (int32_t last = first; last < product->size.k; last++) {
            sum += term_of(product, cell->row, cell->column, last);
            if (sum == left) {
                fact_note(cell, CELL_MISSING, first, last);
            } else if (sum == -left) {
                fact_note(cell, CELL_TWICE, first, last);
            }
        }
    }
}

static void cell_explain(struct cell_product *product, float got, struct wrong_cell *cell) {
    if (poison_is(got)) {
        cell->held = CELL_UNWRITTEN;
    } else if (!isfinite(got)) {
        cell->held = CELL_NOT_FINITE;
    } else if (got == 0.0f) {
        cell->held = CELL_ZERO;
    } else if (fabsf(got) < 0x1p24f && got == truncf(got)) {
        places_try(product, (int64_t)got, cell);
        runs_try(product, (int64_t)got, cell);
    }
    cell->held = cell->held == CELL_UNKNOWN ? CELL_OTHER : cell->held;
}

void wrong_cells_find(const struct matmul *matmul, struct wrong_cells *ret_cells) {
    const struct size size = matmul->size;
    struct cell_product product = {.size = size, .a = matmul->a, .b = matmul->b};
    memset(ret_cells, 0, sizeof *ret_cells);
    if (size_elements_c(size) > WRONG_CELLS_MAX) {
        return;
    }
    ret_cells->size = size;
    product_fill(&product);
    for (int32_t row = 0; row < size.m; row++) {
        for (int32_t column = 0; column < size.n; column++) {
            float got = matmul->c[row * size.n + column];
            if (!((double)got == (double)*want_of(&product, row, column))) {
                struct wrong_cell *cell = &ret_cells->cell[ret_cells->count++];
                *cell = (struct wrong_cell){.row = (int16_t)row, .column = (int16_t)column};
                cell_explain(&product, got, cell);
            }
        }
    }
}

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

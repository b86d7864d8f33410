// What wrong elements of C hold: each fact, and values that allow two facts or none.
#include "judge/run/pictures.h"

#include <math.h>
#include <stdlib.h>

#include "judge/model/inputs.h"

#include "suite.h"  // last: Check has a macro called fail

#define ROWS    3
#define COLUMNS 3
#define DEPTH   3

static const struct size shape = {.m = ROWS, .n = COLUMNS, .k = DEPTH};
static const float a[ROWS * DEPTH] = {1, 10, 100, 2, 20, 200, 4, 40, 400};
static const float b[DEPTH * COLUMNS] = {1000, 7, -3, 1, 3, 11, 5, 1, 2};

// C as it should be: 1510 137 307, 3020 274 614, 6040 548 1228.
static void product_fill(float *c) {
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        c[i] = 0.0f;
        for (int k = 0; k < DEPTH; k++) {
            c[i] += a[i / COLUMNS * DEPTH + k] * b[k * COLUMNS + i % COLUMNS];
        }
    }
}

static struct wrong_cells found_with(int element, float value) {
    float c[ROWS * COLUMNS];
    struct wrong_cells cells;
    product_fill(c);
    c[element] = value;
    wrong_cells_find(&(struct matmul){shape, a, b, c}, &cells);
    return cells;
}

START_TEST(each_value_has_its_fact) {
    float unwritten;
    poison_fill(&unwritten, 1);
    const struct {
        int element;
        float value;
        enum cell_value held;
        int fact[2];
    } table[] = {
        {4, unwritten, CELL_UNWRITTEN, {0, 0}},  {4, NAN, CELL_NOT_FINITE, {0, 0}},
        {4, -INFINITY, CELL_NOT_FINITE, {0, 0}}, {4, 0.0f, CELL_ZERO, {0, 0}},
        {4, 614.0f, CELL_PLACE, {1, 2}},         {0, 1500.0f, CELL_MISSING, {1, 1}},
        {0, 1000.0f, CELL_MISSING, {1, 2}},      {0, 500.0f, CELL_MISSING, {0, 1}},
        {8, 2056.0f, CELL_OTHER, {0, 0}},        {0, 2010.0f, CELL_TWICE, {2, 2}},
        {0, 1510.5f, CELL_OTHER, {0, 0}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct wrong_cells cells = found_with(table[i].element, table[i].value);
        ck_assert_int_eq(cells.count, 1);
        ck_assert_int_eq(cells.cell[0].row * COLUMNS + cells.cell[0].column, table[i].element);
        ck_assert_msg(cells.cell[0].held == table[i].held, "row %zu: %d", i, cells.cell[0].held);
        ck_assert_int_eq(cells.cell[0].fact[0], table[i].fact[0]);
        ck_assert_int_eq(cells.cell[0].fact[1], table[i].fact[1]);
    }
}
END_TEST

START_TEST(a_value_that_allows_two_facts_has_none) {
    float c[ROWS * COLUMNS];
    struct wrong_cells cells;
    const float equal_rows[ROWS * DEPTH] = {1, 10, 100, 1, 10, 100, 4, 40, 400};
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        c[i] = 0.0f;
        for (int k = 0; k < DEPTH; k++) {
            c[i] += equal_rows[i / COLUMNS * DEPTH + k] * b[k * COLUMNS + i % COLUMNS];
        }
    }
    c[8] = c[0];  // and equal to c[3]
    wrong_cells_find(&(struct matmul){shape, equal_rows, b, c}, &cells);
    ck_assert_int_eq(cells.count, 1);
    ck_assert_int_eq(cells.cell[0].held, CELL_OTHER);
}
END_TEST

START_TEST(a_large_c_has_no_cells) {
    static float row[WRONG_CELLS_MAX + 1];
    struct wrong_cells cells;
    const float one = 1.0f;
    wrong_cells_find(&(struct matmul){{.m = WRONG_CELLS_MAX + 1, .n = 1, .k = 1}, row, &one, row},
                     &cells);
    ck_assert_int_eq(cells.size.m, 0);
    wrong_cells_find(&(struct matmul){{.m = WRONG_CELLS_MAX, .n = 1, .k = 1}, row, &one, row},
                     &cells);
    ck_assert_int_eq(cells.size.m, WRONG_CELLS_MAX);
    ck_assert_int_eq(cells.count, 0);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("wrong_cells");
    TCase *tests = tcase_create("cells");
    tcase_add_test(tests, each_value_has_its_fact);
    tcase_add_test(tests, a_value_that_allows_two_facts_has_none);
    tcase_add_test(tests, a_large_c_has_no_cells);
    suite_add_tcase(suite, tests);
    return suite;
}

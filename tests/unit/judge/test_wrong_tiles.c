// The picture of a wrong C: which squares, how many elements, NaN.
#include "judge/run/pictures.h"

#include <math.h>
#include <stdlib.h>

#include "suite.h"  // last: Check has a macro called fail

#define ROWS    70
#define COLUMNS 33

// A column of ones times a row of twos: every element of C is 2.
static void product_fill(float *a, float *b, float *c) {
    for (int i = 0; i < ROWS; i++) {
        a[i] = 1.0f;
    }
    for (int j = 0; j < COLUMNS; j++) {
        b[j] = 2.0f;
    }
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        c[i] = 2.0f;
    }
}

static const struct size shape = {.m = ROWS, .n = COLUMNS, .k = 1};

START_TEST(a_right_c_has_no_wrong_square) {
    float a[ROWS];
    float b[COLUMNS];
    float c[ROWS * COLUMNS];
    struct wrong_tiles tiles;
    product_fill(a, b, c);
    wrong_tiles_count(&(struct matmul){shape, a, b, c}, &tiles);
    ck_assert_uint_eq(tiles.wrong, 0);
    ck_assert_int_eq(tiles.edge, 4);  // 70 rows in at most 32 squares
    ck_assert_int_eq(tiles.rows, 18);
    ck_assert_int_eq(tiles.columns, 9);
}
END_TEST

START_TEST(wrong_and_unwritten_elements_are_counted_where_they_are) {
    float a[ROWS];
    float b[COLUMNS];
    float c[ROWS * COLUMNS];
    struct wrong_tiles tiles;
    product_fill(a, b, c);
    c[0] = 3.0f;
    c[3 * COLUMNS + 3] = NAN;
    c[69 * COLUMNS + 32] = -2.0f;
    wrong_tiles_count(&(struct matmul){shape, a, b, c}, &tiles);
    ck_assert_uint_eq(tiles.wrong, 3);
    ck_assert_uint_eq(tiles.count[0][0], 2);
    ck_assert_uint_eq(tiles.count[17][8], 1);
}
END_TEST

START_TEST(a_small_c_is_drawn_element_by_element) {
    const float a = 2.0f;
    const float b = 3.0f;
    const float c = 5.0f;
    struct wrong_tiles tiles;
    wrong_tiles_count(&(struct matmul){{.m = 1, .n = 1, .k = 1}, &a, &b, &c}, &tiles);
    ck_assert_int_eq(tiles.edge, 1);
    ck_assert_uint_eq(tiles.count[0][0], 1);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("wrong_tiles");
    TCase *tests = tcase_create("squares");
    tcase_add_test(tests, a_right_c_has_no_wrong_square);
    tcase_add_test(tests, wrong_and_unwritten_elements_are_counted_where_they_are);
    tcase_add_test(tests, a_small_c_is_drawn_element_by_element);
    suite_add_tcase(suite, tests);
    return suite;
}

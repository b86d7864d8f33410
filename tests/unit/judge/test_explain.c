// Explanations: every planted mistake gets its sentence, and a C without such a mistake gets none.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explained.h"
#include "suite.h"

// --- Runs of terms ------------------------------------------------------------------------------

static float right(struct matrices *x, int32_t i, int32_t j) {
    return terms_sum(x, i, j, 0, x->size.k);
}
static float without_partial_tile(struct matrices *x, int32_t i, int32_t j) {
    return terms_sum(x, i, j, 0, x->size.k / 16 * 16);
}
static float without_last(struct matrices *x, int32_t i, int32_t j) {
    return terms_sum(x, i, j, 0, x->size.k - 1);
}
static float without_first(struct matrices *x, int32_t i, int32_t j) {
    return terms_sum(x, i, j, 1, x->size.k);
}
static float only_last_tile(struct matrices *x, int32_t i, int32_t j) {
    return terms_sum(x, i, j, 48, x->size.k);
}
static float only_first_tile(struct matrices *x, int32_t i, int32_t j) {
    return terms_sum(x, i, j, 0, 16);
}
static float only_last(struct matrices *x, int32_t i, int32_t j) {
    return terms_sum(x, i, j, x->size.k - 1, x->size.k);
}
static float without_second_tile(struct matrices *x, int32_t i, int32_t j) {
    return right(x, i, j) - terms_sum(x, i, j, 16, 32);
}
static float until_m(struct matrices *x, int32_t i, int32_t j) {
    return terms_sum(x, i, j, 0, x->size.m);
}
static float nothing(struct matrices *x, int32_t i, int32_t j) {
    (void)x, (void)i, (void)j;
    return 0.0f;
}
static float second_tile_twice(struct matrices *x, int32_t i, int32_t j) {
    return right(x, i, j) + terms_sum(x, i, j, 16, 32);
}
static float last_twice(struct matrices *x, int32_t i, int32_t j) {
    return right(x, i, j) + terms_sum(x, i, j, x->size.k - 1, x->size.k);
}
static float all_twice(struct matrices *x, int32_t i, int32_t j) {
    return 2 * right(x, i, j);
}
static float without_last_of_tiles(struct matrices *x, int32_t i, int32_t j) {
    float sum = right(x, i, j);
    for (int32_t k = 15; k < x->size.k; k += 16) {
        sum -= terms_sum(x, i, j, k, k + 1);
    }
    return sum;
}
static float every_second(struct matrices *x, int32_t i, int32_t j) {
    float sum = 0.0f;
    for (int32_t k = 0; k < x->size.k; k += 2) {
        sum += terms_sum(x, i, j, k, k + 1);
    }
    return sum;
}
static float last_row_without_partial_tile(struct matrices *x, int32_t i, int32_t j) {
    return i == x->size.m - 1 ? without_partial_tile(x, i, j) : right(x, i, j);
}

// --- Elements -----------------------------------------------------------------------------------

static float transposed(struct matrices *x, int32_t i, int32_t j) {
    return j < x->size.m && i < x->size.n ? right(x, j, i) : right(x, i, j);
}
static float next_row(struct matrices *x, int32_t i, int32_t j) {
    return i + 1 < x->size.m ? right(x, i + 1, j) : right(x, i, j);
}
static float last_row_repeated(struct matrices *x, int32_t i, int32_t j) {
    return i == x->size.m - 1 ? right(x, i - 1, j) : right(x, i, j);
}
static float sixteen_columns_before(struct matrices *x, int32_t i, int32_t j) {
    return j >= 16 ? right(x, i, j - 16) : right(x, i, j);
}
static float by_columns(struct matrices *x, int32_t i, int32_t j) {
    int32_t linear = i * x->size.n + j;
    return right(x, linear % x->size.m, linear / x->size.m);
}
static float turned_in_4_by_4(struct matrices *x, int32_t i, int32_t j) {
    int32_t row = i - i % 4 + j % 4;
    int32_t column = j - j % 4 + i % 4;
    return row < x->size.m && column < x->size.n ? right(x, row, column) : right(x, i, j);
}
// A tile is read as if its halves lay side by side: some elements look as if C had rows of M.
static float halves_side_by_side(struct matrices *x, int32_t i, int32_t j) {
    int64_t linear = (int64_t)i * x->size.n + j;
    bool like_rows = linear / x->size.m < x->size.m && i % 4 == 0;
    return like_rows ? right(x, (int32_t)(linear / x->size.m), (int32_t)(linear % x->size.m))
                     : terms_sum(x, i, j, 0, 1) + (float)(i % 7);
}
static float by_columns_but_one(struct matrices *x, int32_t i, int32_t j) {
    return i == 77 && j == 3 ? 12345.0f : by_columns(x, i, j);
}
// Wrong in another way where a sample of every eighth element would not look.
static float next_row_but_every_eighth(struct matrices *x, int32_t i, int32_t j) {
    bool hidden = (i * x->size.n + j) % 8 == 5;
    return hidden ? right(x, i, j) + 1.0f : next_row(x, i, j);
}
// As[ty + i] for As[ty * 4 + i]: in a tile of 16 rows.
static float four_rows_by_one(struct matrices *x, int32_t i, int32_t j) {
    return right(x, i - i % 16 + i % 16 / 4 + i % 4, j);
}
static float eight_columns_by_two(struct matrices *x, int32_t i, int32_t j) {
    return right(x, i, j / 8 * 2 + j % 8);
}
static float four_rows_by_one_but_one(struct matrices *x, int32_t i, int32_t j) {
    return i == 13 && j == 2 ? 12345.0f : four_rows_by_one(x, i, j);
}
// A[row, k] is A[k].
static float first_row_of_a(struct matrices *x, int32_t i, int32_t j) {
    (void)i;
    return right(x, 0, j);
}
static float rows_of_m(struct matrices *x, int32_t i, int32_t j) {
    int32_t linear = i * x->size.n + j;
    return linear / x->size.m < x->size.m ? right(x, linear / x->size.m, linear % x->size.m)
                                          : right(x, i, j);
}
static float three_times(struct matrices *x, int32_t i, int32_t j) {
    return 3 * right(x, i, j);
}
static float negative(struct matrices *x, int32_t i, int32_t j) {
    return -right(x, i, j);
}
static float one_more(struct matrices *x, int32_t i, int32_t j) {
    return right(x, i, j) + 1.0f;
}
static float sum_goes_on(struct matrices *x, int32_t i, int32_t j) {
    return j > 0 ? right(x, i, j) + *c_at(x, i, j - 1) : right(x, i, j);
}
static float old_value_too(struct matrices *x, int32_t i, int32_t j) {
    volatile float old = 0.0f;
    float poison;
    poison_fill(&poison, 1);
    old = poison;
    return old + right(x, i, j);
}
static float not_a_number(struct matrices *x, int32_t i, int32_t j) {
    (void)x, (void)i, (void)j;
    return NAN;
}

// A sum that starts with what the CPU device puts into a variable without a value.
static float never_set(struct matrices *x, int32_t i, int32_t j) {
    (void)x;
    return -1.69473953e38f + (float)(i + j);
}

// --- Factors ------------------------------------------------------------------------------------

// Sum over k of A at a linear index times B at another; the allocation counts as endless zeros.
static float linear_sum(struct matrices *x, int64_t a_first, int64_t a_step, int64_t b_first,
                        int64_t b_step) {
    float sum = 0.0f;
    for (int32_t k = 0; k < x->size.k; k++) {
        int64_t a = a_first + k * a_step;
        int64_t b = b_first + k * b_step;
        bool inside = a >= 0 && b >= 0 && a < (int64_t)size_elements_a(x->size) &&
                      b < (int64_t)size_elements_b(x->size);
        sum += inside ? x->a[a] * x->b[b] : 0.0f;
    }
    return sum;
}
static float a_transposed(struct matrices *x, int32_t i, int32_t j) {
    return linear_sum(x, i, x->size.k, j, x->size.n);
}
static float b_transposed(struct matrices *x, int32_t i, int32_t j) {
    return linear_sum(x, (int64_t)i * x->size.k, 1, (int64_t)j * x->size.n, 1);
}
static float a_rows_of_n(struct matrices *x, int32_t i, int32_t j) {
    return linear_sum(x, (int64_t)i * x->size.n, 1, j, x->size.n);
}
static float b_rows_of_k(struct matrices *x, int32_t i, int32_t j) {
    return linear_sum(x, (int64_t)i * x->size.k, 1, j, x->size.k);
}
static float a_one_further(struct matrices *x, int32_t i, int32_t j) {
    return linear_sum(x, (int64_t)i * x->size.k + 1, 1, j, x->size.n);
}
static float a_row_further(struct matrices *x, int32_t i, int32_t j) {
    return linear_sum(x, ((int64_t)i + 1) * x->size.k, 1, j, x->size.n);
}
static float b_column_of_row(struct matrices *x, int32_t i, int32_t j) {
    (void)j;
    return linear_sum(x, (int64_t)i * x->size.k, 1, i, x->size.n);
}
static float b_row_further(struct matrices *x, int32_t i, int32_t j) {
    float sum = 0.0f;
    for (int32_t k = 0; k + 1 < x->size.k; k++) {
        sum += a_at(x, i, k) * b_at(x, k + 1, j);
    }
    return sum;
}
static float a_first_tile(struct matrices *x, int32_t i, int32_t j) {
    float sum = 0.0f;
    for (int32_t k = 0; k < x->size.k; k++) {
        sum += a_at(x, i, k % 16) * b_at(x, k, j);
    }
    return sum;
}
static float a_tiles_turned(struct matrices *x, int32_t i, int32_t j) {
    float sum = 0.0f;
    for (int32_t k = 0; k < x->size.k; k++) {
        int32_t row = i - i % 16 + k % 16;
        int32_t column = k - k % 16 + i % 16;
        bool inside = row < x->size.m && column < x->size.k;
        sum += inside ? a_at(x, row, column) * b_at(x, k, j) : 0.0f;
    }
    return sum;
}
static float b_tiles_turned(struct matrices *x, int32_t i, int32_t j) {
    float sum = 0.0f;
    for (int32_t k = 0; k < x->size.k; k++) {
        int32_t row = k - k % 16 + j % 16;
        int32_t column = j - j % 16 + k % 16;
        bool inside = row < x->size.k && column < x->size.n;
        sum += inside ? a_at(x, i, k) * b_at(x, row, column) : 0.0f;
    }
    return sum;
}
static float both_first_tile(struct matrices *x, int32_t i, int32_t j) {
    return (float)((x->size.k + 15) / 16) * terms_sum(x, i, j, 0, 16);
}
static float both_wrong(struct matrices *x, int32_t i, int32_t j) {
    return linear_sum(x, (int64_t)i * x->size.n, 1, j, x->size.k);
}

// --- Nothing to say -----------------------------------------------------------------------------

static float one_alone(struct matrices *x, int32_t i, int32_t j) {
    return right(x, i, j) + (i == 3 && j == 5 ? 1.0f : 0.0f);
}
static float chance(struct matrices *x, int32_t i, int32_t j) {
    return right(x, i, j) + (float)random_below(product_key, (uint64_t)(i * 1000 + j), 9000) + 1.0f;
}
static float half(struct matrices *x, int32_t i, int32_t j) {
    return 0.5f + right(x, i, j);
}
static float two_causes(struct matrices *x, int32_t i, int32_t j) {
    return i % 2 ? without_last(x, i, j) : without_first(x, i, j);
}

struct planted {
    struct size size;
    element_function element;
    const char *text;
};

static const struct planted planted[] = {
    {{5, 7, 50},
     without_partial_tile,
     "The terms k = 48 and 49 are missing. The terms after the last whole tile of 16 are not in "
     "the sum."},
    {{33, 19, 77},
     without_partial_tile,
     "The terms k = 64 to 76 are missing. The terms after the last whole tile of 16 are not in "
     "the sum."},
    {{1, 1, 20},
     without_partial_tile,
     "The terms k = 16 to 19 are missing. The terms after the last whole tile of 16 are not in "
     "the sum."},
    {{5, 7, 48}, without_first, "The term k = 0, the first one, is missing."},
    {{5, 7, 64},
     only_last_tile,
     "Only the terms k = 48 to 63 are in the sum. Earlier terms are lost."},
    {{5, 7, 64}, only_first_tile, "Only the terms k = 0 to 15 are in the sum. It ends too early."},
    {{5, 7, 64}, only_last, "Only the term k = 63 is in the sum. Earlier terms are lost."},
    {{5, 7, 64}, without_second_tile, "The terms k = 16 to 31 are missing."},
    {{21, 7, 64}, until_m, "The terms k = 21 to 63 are missing. The sum ends at M, not at K."},
    {{5, 7, 12},
     nothing,
     "Each wrong element is 0: nothing was added to it, or only zeros, or its result was stored "
     "elsewhere."},
    {{5, 7, 64}, second_tile_twice, "The terms k = 16 to 31 are in the sum twice."},
    {{5, 7, 64}, all_twice, "Every term is in the sum twice."},
    {{5, 7, 64}, last_twice, "The term k = 63 is in the sum twice."},
    {{5, 7, 64}, without_last_of_tiles, "One term in 16 is missing: k = 15, 31 and so on."},
    {{5, 7, 64}, every_second, "One term in 2 is missing: k = 1, 3 and so on."},
    {{300, 9, 1000},
     without_partial_tile,
     "The terms k = 992 to 999 are missing. The terms after the last whole tile of 16 are not in "
     "the sum."},
    {{65, 9, 50},
     last_row_without_partial_tile,
     "The terms k = 48 and 49 are missing. The terms after the last whole tile of 16 are not in "
     "the sum."},
    {{2, 2, 30},
     transposed,
     "C[i][j] holds the value that belongs to C[j][i]: row and column are exchanged."},
    {{20, 20, 30},
     transposed,
     "C[i][j] holds the value that belongs to C[j][i]: row and column are exchanged."},
    {{20, 31, 30}, next_row, "Each wrong C[i][j] holds the value that belongs to C[i + 1][j]."},
    {{20, 31, 30},
     last_row_repeated,
     "Each wrong C[i][j] holds the value that belongs to C[i - 1][j]."},
    {{20, 31, 30},
     sixteen_columns_before,
     "Each wrong C[i][j] holds the value that belongs to C[i][j - 16]."},
    {{128, 256, 2}, halves_side_by_side, ""},
    {{90, 70, 2}, by_columns_but_one, ""},
    {{90, 70, 2}, next_row_but_every_eighth, ""},
    {{23, 3, 9},
     four_rows_by_one,
     "Each wrong row of C holds the values of another row, as row 4 those that belong to row 1."},
    {{6, 1, 2},
     four_rows_by_one,
     "Each wrong row of C holds the values of another row, as row 4 "
     "those that belong to row 1."},
    {{5, 3, 2}, four_rows_by_one, "Row 4 of C holds the values that belong to row 1."},
    {{6, 1, 1}, four_rows_by_one, ""},
    {{23, 3, 9}, four_rows_by_one_but_one, ""},
    {{4, 21, 5},
     eight_columns_by_two,
     "Each wrong column of C holds the values of another column, as column 8 those that belong to "
     "column 2."},
    {{2, 33, 9}, first_row_of_a, "C[i][j] is the sum over k of A[0][k] * B[k][j]."},
    {{9, 33, 9}, rows_of_m, ""},      // M or K: which one is not known
    {{9, 33, 8}, rows_of_m, ""},      // or K + 1
    {{20, 19, 31}, a_rows_of_n, ""},  // N or M - 1
    {{20, 31, 32}, b_rows_of_k, ""},  // K or N + 1
    {{21, 20, 64},
     until_m,
     "Only the terms k = 0 to 20 are in the sum. It ends too early."},  // M or N + 1
    {{20, 31, 30},
     by_columns,
     "C[i][j] holds the value that belongs to another place: C is written column by column, but "
     "stored row by row."},
    {{20, 31, 30},
     turned_in_4_by_4,
     "Each wrong C[i][j] holds the value that belongs to another place: row and column are "
     "exchanged in each 4 x 4 of C."},
    {{33, 31, 35}, a_tiles_turned, "In the tiles of A row and column are exchanged."},
    {{33, 31, 35}, b_tiles_turned, "In the tiles of B row and column are exchanged."},
    {{20, 31, 30},
     three_times,
     "Each wrong element is 3 times as large as it should be: its terms were counted several "
     "times."},
    {{20, 31, 30}, negative, "Each wrong element has the wrong sign."},
    {{20, 31, 30},
     one_more,
     "Every element is too large by the same 1. The sum does not start at 0, or something else is "
     "added to it."},
    {{20, 31, 30},
     sum_goes_on,
     "Each wrong C[i][j] also holds the value of C[i][j - 1], as if its sum did not start at 0."},
    {{20, 31, 30},
     old_value_too,
     "The old value of C went into the result; C holds nothing useful on entry."},
    {{20, 31, 30},
     not_a_number,
     "A and B hold no NaN: a value that was never set went into the sum, or one from outside of A "
     "and B."},
    {{20, 20, 20},
     a_transposed,
     "Row and column of A are exchanged. C[i][j] is the sum over k of A[k][i] * B[k][j]."},
    {{20, 20, 20},
     b_transposed,
     "Row and column of B are exchanged. C[i][j] is the sum over k of A[i][k] * B[j][k]."},
    {{20, 31, 30},
     never_set,
     "No product of A and B is that large: a variable or an array was read before it had a value."},
    {{20, 17, 31},
     a_rows_of_n,
     "A row of A has K elements, not N. C[i][j] is the sum over k of A[i * N + k] * B[k][j]."},
    {{20, 31, 17},
     b_rows_of_k,
     "A row of B has N elements, not K. C[i][j] is the sum over k of A[i][k] * B[k * K + j]."},
    {{20, 17, 31}, a_one_further, ""},  // fp32 rounds the sum, and may hide the last term
    {{20, 17, 4},
     a_one_further,
     "A is read one element too far. C[i][j] is the sum over k of A[i][k + 1] * B[k][j]."},
    {{20, 17, 31},
     a_row_further,  // C may be stored a row too low instead: no cause
     "C[i][j] is the sum over k of A[i + 1][k] * B[k][j]."},
    {{20, 31, 17},
     b_column_of_row,
     "The row of C is used as the column of B. C[i][j] is the sum over k of A[i][k] * B[k][i]."},
    {{20, 31, 4},
     b_row_further,
     "The k of A is smaller by one than the k of B. C[i][j] is the sum over k of A[i][k - 1] * "
     "B[k][j]."},
    {{20, 17, 50},
     a_first_tile,
     "A is always read from its first tile. C[i][j] is the sum over k of A[i][k % 16] * B[k][j]."},
    {{20, 17, 50},
     both_first_tile,
     "A is always read from its first tile. B is always read from its first tile. C[i][j] is the "
     "sum over k of A[i][k % 16] * B[k % 16][j]."},
    {{20, 28, 24},
     both_wrong,
     "A row of A has K elements, not N. A row of B has N elements, not K. C[i][j] is the sum over "
     "k of A[i * N + k] * B[k * K + j]."},
    {{20, 17, 50}, right, ""},
    {{20, 17, 50}, one_alone, ""},
    {{20, 17, 50}, chance, ""},
    {{300, 17, 2000}, chance, ""},
    {{20, 17, 50}, half, ""},
    {{20, 17, 50}, two_causes, ""},
};

START_TEST(a_planted_mistake_gets_its_sentence) {
    const struct planted *mistake = &planted[_i];
    struct matrices x =
        matrices_new(INPUTS_EXACT, mistake->size.m, mistake->size.n, mistake->size.k);
    char text[TEXT_MAX] = "not written";
    explain(&x, mistake->element, text);
    ck_assert_str_eq(plain(text), mistake->text);
    matrices_free(&x);
}
END_TEST

// A single wrong element identifies a run of a few missing terms, but not a run of very many.
START_TEST(one_element_of_many_terms_tells_nothing) {
    struct matrices x = matrices_new(INPUTS_EXACT, 1, 1, 1000);
    char text[TEXT_MAX];
    explain(&x, without_partial_tile, text);
    ck_assert_str_eq(plain(text), "");
    matrices_free(&x);
}
END_TEST

// A tile of A or a tile of B: at 1 x 1 they give the same numbers, and neither is reported.
START_TEST(two_inputs_that_fit_are_told_neither) {
    char text[TEXT_MAX];
    struct matrices x = matrices_new(INPUTS_EXACT, 1, 1, 17);
    ck_assert_int_eq(explain(&x, b_tiles_turned, text), EXPLAINED_NOTHING);
    ck_assert_str_eq(plain(text), "");
    matrices_free(&x);
    x = matrices_new(INPUTS_EXACT, 1, 3, 17);
    ck_assert_int_eq(explain(&x, b_tiles_turned, text), EXPLAINED_PLACES);
    ck_assert_str_eq(plain(text), "In the tiles of B row and column are exchanged.");
    matrices_free(&x);
}
END_TEST

// With one term the rows of C differ only in their signs, and any of them fits by chance.
START_TEST(one_term_chooses_no_place) {
    char text[TEXT_MAX];
    struct matrices x = matrices_new(INPUTS_EXACT, 8, 15, 1);
    ck_assert_int_eq(explain(&x, next_row, text), EXPLAINED_NOTHING);
    matrices_free(&x);
}
END_TEST

START_TEST(an_explanation_says_what_it_speaks_of) {
    char text[TEXT_MAX];
    struct matrices x = matrices_new(INPUTS_EXACT, 20, 17, 50);
    ck_assert_int_eq(explain(&x, nothing, text), EXPLAINED_ALL_TERMS);
    ck_assert_int_eq(explain(&x, without_partial_tile, text), EXPLAINED_TERMS);
    ck_assert_int_eq(explain(&x, every_second, text), EXPLAINED_TERMS);
    ck_assert_int_eq(explain(&x, next_row, text), EXPLAINED_PLACES);
    ck_assert_int_eq(explain(&x, right, text), EXPLAINED_NOTHING);
    matrices_free(&x);
}
END_TEST

// Even with other inputs, a match by chance must never be reported.
START_TEST(chance_is_never_explained) {
    for (uint64_t r = 0; r < 60; r++) {
        struct matrices x =
            matrices_new(INPUTS_EXACT, 1 + (int32_t)(r % 4), 1 + (int32_t)(r % 3), 2 + (int32_t)r);
        char text[TEXT_MAX];
        inputs_fill(INPUTS_EXACT, (struct random_key){{r, r}}, x.size, x.a, x.b);
        explain(&x, chance, text);
        ck_assert_msg(text[0] == '\0', "%d x %d x %d: %s", x.size.m, x.size.n, x.size.k, text);
        matrices_free(&x);
    }
}
END_TEST

SUITE() {
    Suite *suite = suite_create("explain");
    TCase *tests = tcase_create("explain");
    tcase_add_loop_test(tests, a_planted_mistake_gets_its_sentence, 0,
                        (int)(sizeof planted / sizeof planted[0]));
    tcase_add_test(tests, one_element_of_many_terms_tells_nothing);
    tcase_add_test(tests, chance_is_never_explained);
    tcase_add_test(tests, two_inputs_that_fit_are_told_neither);
    tcase_add_test(tests, one_term_chooses_no_place);
    tcase_add_test(tests, an_explanation_says_what_it_speaks_of);
    suite_add_tcase(suite, tests);
    return suite;
}

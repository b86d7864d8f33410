// What a wrong product is computed from: each planted kernel gets its formula, and one whose terms
// do not give what it stores gets none.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/words.h"
#include "judge/cause/probed_terms.h"
#include "plain.h"
#include "suite.h"

#define ELEMENTS_MAX 16
#define LAUNCHES_MAX 64

static const struct size size = {.m = 2, .n = 3, .k = 2};

typedef float (*product)(const float *a, const float *b, int i, int j);

static float a_at(const float *a, int i, int k) {
    return a[i * size.k + k];
}
static float b_at(const float *b, int k, int j) {
    return b[k * size.n + j];
}

static float right(const float *a, const float *b, int i, int j) {
    return a_at(a, i, 0) * b_at(b, 0, j) + a_at(a, i, 1) * b_at(b, 1, j);
}
static float added(const float *a, const float *b, int i, int j) {
    return a_at(a, i, 0) + b_at(b, 0, j) + a_at(a, i, 1) + b_at(b, 1, j);
}
static float one_product(const float *a, const float *b, int i, int j) {
    return 16 * a_at(a, i, 1) * b_at(b, 0, j);
}
static float next_column(const float *a, const float *b, int i, int j) {
    return right(a, b, i, (j + 1) % 3);
}
static float other_row(const float *a, const float *b, int i, int j) {
    return right(a, b, 1 - i, j);
}
static float first_of_a(const float *a, const float *b, int i, int j) {
    return a_at(a, i, 0) * (b_at(b, 0, j) + b_at(b, 1, j));
}
static float first_of_b(const float *a, const float *b, int i, int j) {
    return b_at(b, 0, j) * (a_at(a, i, 0) + a_at(a, i, 1));
}
static float crossed(const float *a, const float *b, int i, int j) {
    return a_at(a, i, 0) * b_at(b, 1, j) + a_at(a, i, 1) * b_at(b, 0, j);
}
static float one_more(const float *a, const float *b, int i, int j) {
    return right(a, b, i, j) + 7;
}
static float half_set(const float *a, const float *b, int i, int j) {
    return i == 1 ? NAN : next_column(a, b, i, j);
}
static float squared(const float *a, const float *b, int i, int j) {
    return a_at(a, i, 0) * a_at(a, i, 1) + b_at(b, 0, j);
}
static float by_value(const float *a, const float *b, int i, int j) {
    return a_at(a, i, 0) > 2 ? 0 : right(a, b, i, j);
}
static float nothing(const float *a, const float *b, int i, int j) {
    (void)a, (void)b, (void)i, (void)j;
    return 0;
}

static void run(product kernel, bool is_a, const float *this, const float *other, float *c) {
    for (int i = 0; i < size.m; i++) {
        for (int j = 0; j < size.n; j++) {
            c[i * size.n + j] = is_a ? kernel(this, other, i, j) : kernel(other, this, i, j);
        }
    }
}

static void explain(product kernel, bool is_a, char text[512]) {
    static float results[LAUNCHES_MAX][ELEMENTS_MAX];
    static float ones[TERMS_OTHER_COUNT][ELEMENTS_MAX * ELEMENTS_MAX];
    const int c_count = size.m * size.n;
    float this[ELEMENTS_MAX] = {0};
    float other[ELEMENTS_MAX] = {0};
    struct terms_probe probe = {.size = size,
                                .is_a = is_a,
                                .count = is_a ? size.m * size.k : size.k * size.n,
                                .other_count = is_a ? size.k * size.n : size.m * size.k,
                                .zero = results[0]};
    run(kernel, is_a, this, other, results[0]);
    for (int kind = 0; kind < TERMS_OTHER_COUNT; kind++) {
        for (int q = 0; q < probe.other_count; q++) {
            float number = (float)(q + 1);
            other[q] = kind == TERMS_UNITS      ? TERMS_UNIT
                       : kind == TERMS_ORDINALS ? number
                                                : number * number;
        }
        run(kernel, is_a, this, other, results[1 + kind]);
        probe.none[kind] = results[1 + kind];
        probe.one[kind] = ones[kind];
        for (int p = 0; p < probe.count; p++) {
            this[p] = 1;
            run(kernel, is_a, this, other, &ones[kind][p * c_count]);
            this[p] = 0;
        }
    }
    static float alone[ELEMENTS_MAX * ELEMENTS_MAX];
    for (int q = 0; q < probe.other_count && terms_needs_other(&probe); q++) {
        memset(other, 0, sizeof other);
        other[q] = 1;
        run(kernel, is_a, this, other, &alone[q * c_count]);
    }
    probe.other_one = terms_needs_other(&probe) ? alone : NULL;
    const float a[] = {3, -5, 7, 11};
    const float b[] = {13, 17, -19, 23, 29, 31};
    float c[ELEMENTS_MAX];
    run(kernel, true, a, b, c);
    explain_terms(&probe, a, b, c, text, 512);
}

static const struct {
    product kernel;
    const char *says;
} planted[] = {
    {added, "Elements of A and B are added, not multiplied. C[0][0] is computed as A[0][0] + "
            "A[0][1] + B[0][0] + B[1][0], but should be A[0][0]*B[0][0] + A[0][1]*B[1][0]."},
    {one_product, "Each sum is one product, added 16 times: its factors do not change with k. "
                  "C[0][0] is computed as 16*A[0][1]*B[0][0], but should be A[0][0]*B[0][0] + "
                  "A[0][1]*B[1][0]."},
    {next_column, "The factors from B come from another column. C[0][0] is computed as "
                  "A[0][0]*B[0][1] + A[0][1]*B[1][1], but should be A[0][0]*B[0][0] + "
                  "A[0][1]*B[1][0]."},
    {other_row, "The factors from A come from another row. C[0][0] is computed as "
                "A[1][0]*B[0][0] + A[1][1]*B[1][0], but should be A[0][0]*B[0][0] + "
                "A[0][1]*B[1][0]."},
    {first_of_a, "The factors from A come from another column k. C[0][0] is computed as "
                 "A[0][0]*B[0][0] + A[0][0]*B[1][0], but should be A[0][0]*B[0][0] + "
                 "A[0][1]*B[1][0]."},
    {first_of_b, "The factors from B come from another row k. C[0][0] is computed as "
                 "A[0][0]*B[0][0] + A[0][1]*B[0][0], but should be A[0][0]*B[0][0] + "
                 "A[0][1]*B[1][0]."},
    {crossed, "The factors of a product belong to different k. C[0][0] is computed as "
              "A[0][0]*B[1][0] + A[0][1]*B[0][0], but should be A[0][0]*B[0][0] + "
              "A[0][1]*B[1][0]."},
    {one_more, "C[0][0] is computed as A[0][0]*B[0][0] + A[0][1]*B[1][0] + 7, but should be "
               "A[0][0]*B[0][0] + A[0][1]*B[1][0]."},
    {half_set, "The factors from B come from another column. C[0][0] is computed as "
               "A[0][0]*B[0][1] + A[0][1]*B[1][1], but should be A[0][0]*B[0][0] + "
               "A[0][1]*B[1][0]."},
    // A product of two elements of A, a choice by value, and no term at all: no formula.
    {squared, ""},
    {by_value, ""},
    {nothing, ""},
    {right, ""},
};

START_TEST(an_element_is_told_by_its_terms) {
    for (int is_a = 0; is_a < 2; is_a++) {
        char text[512];
        explain(planted[_i].kernel, is_a == 1, text);
        ck_assert_str_eq(plain(text), planted[_i].says);
    }
}
END_TEST

SUITE() {
    Suite *suite = suite_create("terms");
    TCase *tests = tcase_create("terms");
    tcase_add_loop_test(tests, an_element_is_told_by_its_terms, 0, (int)COUNT(planted));
    suite_add_tcase(suite, tests);
    return suite;
}

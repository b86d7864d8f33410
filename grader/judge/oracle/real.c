// Real inputs: a proven bound for each element, and a statistic for each tile of 256, because at
// large K the bound alone lets TF32 pass.
//
// Source  Higham, Accuracy and Stability of Numerical Algorithms, 3.1: |got - want| <= gamma_K
//         |A||B| in any order, with or without FMA; one more term leaves room for the fp64
//         reference's own rounding.  T is the root mean square error over that of the model of
//         plain sequential fp32 summation, u K r / sqrt(6) with r = 1/3, the root mean square of a
//         product of two numbers uniform in (-1, 1).  Honest kernels stay below 1.4, the weakest
//         low-precision one above 27 (measured over 10 summation orders and K up to 8192).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/explain/product.h"
#include "judge/explain/region.h"
#include "judge/oracle/parts.h"
#include "judge/oracle/precision.h"

#define UNIT_ROUNDOFF 0x1p-24

// The bound if factors are first rounded or cut to 11 bits (TF32, FP16), and sums are in fp32 as
// tensor cores keep them: each addition may be cut, which is twice the error of rounding.  Then a
// factor x becomes x (1 + d) + e with |d| <= 2^-10, and |e| <= 2^-24 of the numbers that are below
// FP16's least normal one; as all factors are below 1,
//     |got - want| <= ((1 + 2^-10)^2 (1 + gamma) - 1) |A||B| + 2 K 2^-24 (1 + 2^-10) + K 2^-48.
// The mean error of sums, relative to sqrt(K) / 3, is 2.6e-4 if factors are rounded and 6.8e-4 if
// they are cut.  With BF16 it is 2.1e-3; with sums in FP16, 1.2e-3 from K = 64 on.  2^-10 is
// between them.
// Source  Higham, as above; Fasi, Higham, Mikaitis, Pranesh 2021, "Numerical behavior of NVIDIA
//         tensor cores" (sums are cut).
#define NARROW_ROUNDOFF 0x1p-10
#define NARROW_LEAST    0x1p-24
#define NARROW_RMS_MAX  0x1p-10

#define T_MAX         8.0
#define TILE_ELEMENTS 256
#define TILE_COLUMNS  64
#define FACTOR_RMS    (1.0 / 3.0)

#define WHOLE_ELEMENTS_MIN 8  // so many whole numbers are no accident

// Errors of low precision, relative to sqrt(K) / 3: at most 2^-6 (BF16 has 2^-9), and a quarter of
// one missing term.  At least half of the elements have such an error, and none has one far above
// the others.
#define PEAK_TO_RMS_MAX   8.0  // as in precision.c
#define FEWER_BITS_MIN    16   // as there: so many elements
#define LOW_PRECISION_MAX 0x1p-6
#define TERM_SHARE_MAX    0.7

struct row_comparison {
    const struct matmul_launch *product;
    int32_t row_count;  // rows judged
    int32_t rows[ORACLE_ROWS_MAX];
    bool all_rows;             // if so, rows[] is not used
    bool lone;                 // other rows are right, so the errors are not everywhere
    int32_t group_rows;        // rows of one tile
    double *want, *magnitude;  // [group_rows][N]: A B and |A||B|
    double bound_factor;       // gamma_{K+1}, or the factor for narrow factors …
    double bound_plus;         // … to which this is added
    struct region over_bound;
    uint64_t compared, nonfinite;
    uint64_t inexact;  // errors beyond half the root mean square that a tile may have
    double squares;    // sum of the squares of all finite errors
    double largest;    // of them
    bool found;
    int32_t row, column;  // the first wrong element; or the worst of the first bad tile
    double wanted, allowed;
};

static int32_t row_of(const struct row_comparison *comparison, int32_t r) {
    return comparison->all_rows ? r : comparison->rows[r];
}

static void rows_choose(struct row_comparison *comparison) {
    const struct matmul_launch *product = comparison->product;
    int32_t m = product->matmul.size.m;
    comparison->all_rows =
        size_multiply_adds(product->matmul.size) <= ORACLE_FULL_MAX || m <= ORACLE_ROWS_MAX;
    comparison->row_count = comparison->all_rows ? m : ORACLE_ROWS_MAX;
    for (int32_t r = 0; r < ORACLE_ROWS_MAX && !comparison->all_rows; r++) {
        int32_t first = (int32_t)((int64_t)m * r / ORACLE_ROWS_MAX);
        int32_t end = (int32_t)((int64_t)m * (r + 1) / ORACLE_ROWS_MAX);
        comparison->rows[r] = first + (int32_t)random_below(product->key, STREAM_ROWS + (uint64_t)r,
                                                            (uint32_t)(end - first));
    }
}

FAST static void reference_row(const struct matmul_launch *product, int32_t i, double *want,
                               double *magnitude) {
    int32_t n = product->matmul.size.n;
    const float *a = product->matmul.a + (size_t)i * (size_t)product->matmul.size.k;
    memset(want, 0, (size_t)n * sizeof *want);
    memset(magnitude, 0, (size_t)n * sizeof *magnitude);
    for (int32_t k = 0; k < product->matmul.size.k; k++) {
        const float *b = product->matmul.b + (size_t)k * (size_t)n;
        double factor = (double)a[k];
        for (int32_t j = 0; j < n; j++) {
            double term = factor * (double)b[j];  // exact: 48 bits
            want[j] += term;
            magnitude[j] += fabs(term);
        }
    }
}

static void found(struct row_comparison *comparison, int32_t row, int32_t column, double want,
                  double allowed) {
    if (!comparison->found) {
        comparison->found = true;
        comparison->row = row;
        comparison->column = column;
        comparison->wanted = want;
        comparison->allowed = allowed;
    }
}

double oracle_rms_max(enum precision precision, int32_t k) {
    double terms = k;
    return precision == PRECISION_FP32 ? T_MAX * UNIT_ROUNDOFF * terms * FACTOR_RMS / sqrt(6.0)
                                       : NARROW_RMS_MAX * sqrt(terms) * FACTOR_RMS;
}

// The root mean square error that a tile may have.
static double rms_allowed(const struct matmul_launch *product) {
    return oracle_rms_max(product->precision, product->matmul.size.k);
}

// Element by element, for one row of a group.
static void row_compare(struct row_comparison *comparison, int32_t i, const double *want,
                        const double *magnitude) {
    const float *got =
        comparison->product->matmul.c + (size_t)i * (size_t)comparison->product->matmul.size.n;
    double inexact = rms_allowed(comparison->product) / 2;
    for (int32_t j = 0; j < comparison->product->matmul.size.n; j++) {
        double error = fabs((double)got[j] - want[j]);
        double allowed = comparison->bound_factor * magnitude[j] + comparison->bound_plus;
        comparison->compared++;
        if (!(error <= allowed)) {
            region_add(&comparison->over_bound, i, j);
            found(comparison, i, j, want[j], allowed);
        }
        if (isfinite(got[j])) {
            comparison->squares += error * error;
            comparison->largest = fmax(comparison->largest, error);
            comparison->inexact += error > inexact;
        } else {
            comparison->nonfinite++;
        }
    }
}

// The bound of an element: bound_factor |A||B| + bound_plus.
static void bound_choose(struct row_comparison *comparison) {
    double terms = (double)comparison->product->matmul.size.k + 1;
    if (comparison->product->precision == PRECISION_FP32) {
        comparison->bound_factor = terms * UNIT_ROUNDOFF / (1 - terms * UNIT_ROUNDOFF);
        return;
    }
    double cut = 2 * UNIT_ROUNDOFF;
    double gamma = terms * cut / (1 - terms * cut);
    double factor = 1 + NARROW_ROUNDOFF;
    comparison->bound_factor = factor * factor * (1 + gamma) - 1;
    comparison->bound_plus = terms * (2 * NARROW_LEAST * factor + NARROW_LEAST * NARROW_LEAST);
}

// The root mean square error over rows [first_row, first_row + group_rows) of the list and the
// columns from `column` on, against what is allowed.
static void tile_judge(struct row_comparison *comparison, int32_t first_row, int32_t column,
                       int32_t width, double allowed) {
    const struct matmul_launch *product = comparison->product;
    size_t n = (size_t)product->matmul.size.n;
    double squares = 0;
    double worst = -1;
    struct real_place {
        int32_t row, column;
        double want;
    } place = {0, 0, 0};
    for (int32_t r = 0; r < comparison->group_rows; r++) {
        int32_t i = row_of(comparison, first_row + r);
        for (int32_t j = column; j < column + width; j++) {
            double want = comparison->want[(size_t)r * n + (size_t)j];
            double error = fabs((double)product->matmul.c[(size_t)i * n + (size_t)j] - want);
            squares += error * error;
            if (error > worst) {
                worst = error;
                place = (struct real_place){i, j, want};
            }
        }
    }
    double rms = sqrt(squares / ((double)comparison->group_rows * width));
    if (!(rms <= allowed)) {
        found(comparison, place.row, place.column, place.want, rms_allowed(product));
    }
}

// The last group of rows, and the last tile of a group, overlap the one before, so that no tile
// is smaller than 256 elements.
static void rows_judge(struct row_comparison *comparison) {
    int32_t n = comparison->product->matmul.size.n;
    int32_t width = n < TILE_COLUMNS ? n : TILE_COLUMNS;
    int32_t group = comparison->group_rows;
    for (int32_t next = 0; next < comparison->row_count; next += group) {
        int32_t first =
            next + group <= comparison->row_count ? next : comparison->row_count - group;
        for (int32_t r = 0; r < group; r++) {
            double *want = comparison->want + (size_t)r * (size_t)n;
            double *magnitude = comparison->magnitude + (size_t)r * (size_t)n;
            int32_t i = row_of(comparison, first + r);
            reference_row(comparison->product, i, want, magnitude);
            if (first + r >= next) {  // earlier rows were compared in the previous group
                row_compare(comparison, i, want, magnitude);
            }
        }
        if (group * width < TILE_ELEMENTS) {
            continue;
        }
        for (int32_t column = 0; column < n; column += width) {
            tile_judge(comparison, first, column + width <= n ? column : n - width, width,
                       rms_allowed(comparison->product));
        }
    }
}

static bool real_is_low_precision(const struct row_comparison *comparison) {
    double terms = comparison->product->matmul.size.k;
    double rms = sqrt(comparison->squares / (double)comparison->compared);
    double relative = rms / (sqrt(terms) * FACTOR_RMS);
    bool many = comparison->inexact >= FEWER_BITS_MIN &&
                2 * comparison->inexact >= comparison->compared &&
                comparison->largest <= PEAK_TO_RMS_MAX * rms;
    return comparison->nonfinite == 0 && many && !comparison->lone &&
           relative <= fmin(LOW_PRECISION_MAX, TERM_SHARE_MAX / sqrt(terms));
}

// What whole numbers in all of C suggest, as A and B hold fractions; "" if there are others.
static const char *whole_text(const struct matmul_launch *product) {
    size_t elements = size_elements_c(product->matmul.size);
    bool any = false;
    for (size_t i = 0; i < elements; i++) {
        float value = product->matmul.c[i];
        if (!isfinite(value) || truncf(value) != value) {
            return "";
        }
        any |= value != 0.0f;
    }
    return elements < WHOLE_ELEMENTS_MIN ? ""
           : any ? _("Every element of C is a whole number, though A and B hold fractions: on the "
                     "way a "
                     "value is rounded or cut to a whole number, as an `int` does.")
                 : _("Every element of C is 0, though A and B hold other numbers.");
}

static void real_report_write(const struct row_comparison *comparison,
                              struct oracle_report *report) {
    const struct matmul_launch *product = comparison->product;
    float value = product->matmul.c[(size_t)comparison->row * (size_t)product->matmul.size.n +
                                    (size_t)comparison->column];
    char got[NUMBER_TEXT_MAX];
    const char *cause = "";
    report->verdict = VERDICT_WRONG_RESULT;
    report->row = comparison->row;
    report->column = comparison->column;
    report->got = value;
    report->want = comparison->wanted;
    report->wrong_count = comparison->all_rows ? comparison->over_bound.count : 0;
    if (isnan(value)) {
        cause = explain_nan_text(poison_was_read(value));
    } else if (real_is_low_precision(comparison)) {
        report->verdict = VERDICT_LOW_PRECISION;
        cause = precision_few_bits_text(product->precision);
    }
    if (cause[0] == '\0' && !comparison->lone) {
        cause = whole_text(product);
    }
    number_text((double)value, got);
    report->explained = cause[0] == '\0' ? EXPLAINED_NOTHING : EXPLAINED_ALL_TERMS;
    (void)snprintf(report->cause, sizeof report->cause, "%s", cause);
    words_write(report->evidence, sizeof report->evidence,
                _("C[%d][%d] is %s and should be %.9g, give or take %.2g."), comparison->row,
                comparison->column, got, comparison->wanted, comparison->allowed);
}

enum status oracle_real(const struct matmul_launch *product, struct oracle_report *ret_report,
                        struct error *err) {
    enum status status = STATUS_OK;
    struct row_comparison comparison = {.product = product};
    int32_t n = product->matmul.size.n;
    int32_t width = n < TILE_COLUMNS ? n : TILE_COLUMNS;
    rows_choose(&comparison);
    bound_choose(&comparison);
    comparison.group_rows = (TILE_ELEMENTS + width - 1) / width;
    if (comparison.group_rows > comparison.row_count) {
        comparison.group_rows = comparison.row_count;
    }
    size_t elements = (size_t)comparison.group_rows * (size_t)n;
    comparison.want = calloc(elements, sizeof *comparison.want);
    comparison.magnitude = calloc(elements, sizeof *comparison.magnitude);
    if (!comparison.want || !comparison.magnitude) {
        status = fail(err, STATUS_NO_MEMORY, "no memory to check a product");
        goto out;
    }
    rows_judge(&comparison);
    ret_report->verdict = VERDICT_PASS;
    if (comparison.found) {
        real_report_write(&comparison, ret_report);
    }

out:
    free(comparison.magnitude);
    free(comparison.want);
    return status;
}

enum status oracle_explain_row(enum precision precision, const struct matmul *matmul, int32_t row,
                               struct oracle_report *ret_report, struct error *err) {
    const struct matmul_launch product = {.matmul = *matmul, .precision = precision};
    const int32_t n = matmul->size.n;
    struct row_comparison comparison = {
        .product = &product, .row_count = 1, .rows = {row}, .group_rows = 1, .lone = true};
    struct oracle_report report;
    enum status status = STATUS_OK;
    comparison.want = calloc((size_t)n, sizeof *comparison.want);
    comparison.magnitude = calloc((size_t)n, sizeof *comparison.magnitude);
    if (!comparison.want || !comparison.magnitude) {
        status = fail(err, STATUS_NO_MEMORY, "no memory to explain a wrong product");
        goto out;
    }
    memset(&report, 0, sizeof report);
    bound_choose(&comparison);
    reference_row(&product, row, comparison.want, comparison.magnitude);
    row_compare(&comparison, row, comparison.want, comparison.magnitude);
    tile_judge(&comparison, 0, 0, n, 0.0);
    real_report_write(&comparison, &report);
    *ret_report = report;

out:
    free(comparison.magnitude);
    free(comparison.want);
    return status;
}

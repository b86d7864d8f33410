// Is C the product of A and B? Elements that were never written are a verdict of their own, which
// comes first.  Exact inputs: a fast test decides whether everything is right (three random vectors
// are multiplied by each matrix in one sweep); only wrong rows are then examined closely.  Real
// inputs: a proven bound for each element, and a statistic for each tile of 256, because at large K
// the bound alone lets TF32 pass.
//
// Source  Higham, Accuracy and Stability of Numerical Algorithms, 3.1: |got - want| <= gamma_K
//         |A||B| in any order, with or without FMA; one more term leaves room for the fp64
//         reference's own rounding.  T is the root mean square error, divided by the error in the
//         model of plain sequential fp32 summation, u K r / sqrt(6) with r = 1/3, the root mean
//         square of a product of two numbers uniform in (-1, 1).  Honest kernels stay below 1.4,
//         the weakest low-precision one above 27 (measured over 10 summation orders and K up to
//         8192).
#include "judge/oracle/matmul_oracle.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "base/memory.h"
#include "judge/cause/output_seen.h"
#include "judge/cause/regions.h"
#include "judge/oracle/precision.h"

// Multiply-adds to compute all wrong rows of a product again, which takes a second; if that takes
// more, only ORACLE_ROWS_MAX rows are examined, and no cause is given.
#define ORACLE_WRONG_MAX (4ull * 1000 * 1000 * 1000)
#define ORACLE_ROWS_MAX  64  // rows examined in products too large to compute in full

struct matmul_launch {
    struct matmul matmul;
    struct random_key key;
    enum precision precision;
    enum inputs_kind kind;
};

// "3", "0.25", "NaN", "Inf".
#define NUMBER_TEXT_MAX 32
static void number_text(double number, char text[NUMBER_TEXT_MAX]);

#define VECTORS     3
#define INTEGER_MAX 33554432.0f  // 2^25; a right element is below 2^24

struct freivalds_sums {
    uint64_t of[VECTORS];
};

// Converts a row to integers.  An element that is not an integer becomes 0, and the result is
// false.
FAST static bool row_integers(const float *row, int32_t count, int32_t *integers) {
    int32_t bad = 0;
    for (int32_t j = 0; j < count; j++) {
        bool small = fabsf(row[j]) < INTEGER_MAX;  // false for NaN
        float value = small ? row[j] : 0.0f;
        int32_t integer = (int32_t)value;
        integers[j] = integer;
        bad |= !small | ((float)integer != value);
    }
    return bad == 0;
}

// The products of one row with the three vectors, x[0..count), x[count..2 count) and so on.
FAST static struct freivalds_sums row_times(const int32_t *integers, const uint64_t *x,
                                            int32_t count) {
    const uint64_t *x0 = x;
    const uint64_t *x1 = x + count;
    const uint64_t *x2 = x1 + count;
    struct freivalds_sums sums = {{0, 0, 0}};
    for (int32_t j = 0; j < count; j++) {
        uint64_t value = (uint64_t)(int64_t)integers[j];
        sums.of[0] += value * x0[j];
        sums.of[1] += value * x1[j];
        sums.of[2] += value * x2[j];
    }
    return sums;
}

uint64_t freivalds_check(struct random_key key, const struct matmul *matmul,
                         uint8_t *ret_wrong_rows) {
    const struct size size = matmul->size;
    size_t widest = (size_t)(size.n > size.k ? size.n : size.k);
    uint64_t *x = xcalloc((size_t)size.n * VECTORS, sizeof *x);  // [VECTORS][N]
    uint64_t *y = xcalloc((size_t)size.k * VECTORS, sizeof *y);  // [VECTORS][K], B x
    int32_t *integers = xcalloc(widest, sizeof *integers);
    uint64_t wrong = 0;
    for (size_t i = 0; i < (size_t)size.n * VECTORS; i++) {
        x[i] = random_at(key, STREAM_FREIVALDS + i);
    }
    for (int32_t k = 0; k < size.k; k++) {
        (void)row_integers(matmul->b + (size_t)k * (size_t)size.n, size.n, integers);
        struct freivalds_sums sums = row_times(integers, x, size.n);
        for (int v = 0; v < VECTORS; v++) {
            y[(size_t)v * (size_t)size.k + (size_t)k] = sums.of[v];
        }
    }
    for (int32_t i = 0; i < size.m; i++) {
        (void)row_integers(matmul->a + (size_t)i * (size_t)size.k, size.k, integers);
        struct freivalds_sums want = row_times(integers, y, size.k);
        bool right = row_integers(matmul->c + (size_t)i * (size_t)size.n, size.n, integers);
        struct freivalds_sums got = row_times(integers, x, size.n);
        for (int v = 0; v < VECTORS; v++) {
            right = right && got.of[v] == want.of[v];
        }
        ret_wrong_rows[i] = !right;
        wrong += !right;
    }
    free(integers);
    free(y);
    free(x);
    return wrong;
}

// Row i of A B.  fp32 holds every partial sum of exact inputs, so the order is free (see inputs.c).
FAST static void exact_row(const struct matmul_launch *product, int32_t i, float *row) {
    int32_t n = product->matmul.size.n;
    const float *a = product->matmul.a + (size_t)i * (size_t)product->matmul.size.k;
    int32_t k = 0;
    memset(row, 0, (size_t)n * sizeof *row);
    for (; k + 4 <= product->matmul.size.k; k += 4) {
        const float *b = product->matmul.b + (size_t)k * (size_t)n;
        const float *b1 = b + n;
        const float *b2 = b1 + n;
        const float *b3 = b2 + n;
        float a0 = a[k];
        float a1 = a[k + 1];
        float a2 = a[k + 2];
        float a3 = a[k + 3];
        for (int32_t j = 0; j < n; j++) {
            row[j] += a0 * b[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
        }
    }
    for (; k < product->matmul.size.k; k++) {
        const float *b = product->matmul.b + (size_t)k * (size_t)n;
        for (int32_t j = 0; j < n; j++) {
            row[j] += a[k] * b[j];
        }
    }
}

FAST static bool rows_equal(const float *got, const float *want, int32_t count) {
    int32_t wrong = 0;
    for (int32_t j = 0; j < count; j++) {
        wrong += !(got[j] == want[j]);  // NaN is wrong, -0 is 0
    }
    return wrong == 0;
}

// Marks the wrong rows by computing each.
static uint64_t rows_compare(const struct matmul_launch *product, float *row, uint8_t *wrong_rows) {
    uint64_t count = 0;
    for (int32_t i = 0; i < product->matmul.size.m; i++) {
        exact_row(product, i, row);
        const float *got = product->matmul.c + (size_t)i * (size_t)product->matmul.size.n;
        wrong_rows[i] = !rows_equal(got, row, product->matmul.size.n);
        count += wrong_rows[i];
    }
    return count;
}

// What is known about a wrong C.
struct diagnosis {
    struct output_seen seen;
    struct error_sums sums;
    struct region wrong;
    uint64_t wrong_rows;     // the number of wrong rows
    uint8_t *wrong_columns;  // [N], in the examined rows
    bool complete;           // every wrong row was examined
};

static void diagnose_row(const struct matmul_launch *product, int32_t i, const float *want,
                         struct diagnosis *diagnosis) {
    uint64_t first = (uint64_t)i * diagnosis->seen.width;
    for (int32_t j = 0; j < product->matmul.size.n; j++) {
        uint64_t element = first + (uint64_t)j;
        error_sums_add(&diagnosis->sums, &diagnosis->seen, element, (double)want[j]);
        if (!(seen_got(&diagnosis->seen, element) == (double)want[j])) {
            seen_add(&diagnosis->seen, element);
            region_add(&diagnosis->wrong, i, j);
            diagnosis->wrong_columns[j] = 1;
        }
    }
}

// Examines every row, or in large products some of the wrong ones, spread evenly.  `want` is
// initially a copy of C; it becomes the whole exact product if every wrong row is examined, because
// the other rows are right.
static void diagnose(const struct matmul_launch *product, const uint8_t *wrong_rows, float *want,
                     struct diagnosis *diagnosis) {
    bool all = size_multiply_adds(product->matmul.size) <= ORACLE_FULL_MAX;
    uint64_t row_work = (uint64_t)product->matmul.size.n * (uint64_t)product->matmul.size.k;
    bool all_wrong = diagnosis->wrong_rows <= ORACLE_WRONG_MAX / row_work;
    uint64_t step = all_wrong ? 1 : (diagnosis->wrong_rows + ORACLE_ROWS_MAX - 1) / ORACLE_ROWS_MAX;
    uint64_t seen = 0;
    diagnosis->complete = all || step <= 1;
    seen_init(&diagnosis->seen, signature_of_matmul(), product->matmul.size, ARRAY_C,
              product->matmul.c);
    diagnosis->seen.input[ARRAY_A] = product->matmul.a;
    diagnosis->seen.input[ARRAY_B] = product->matmul.b;
    diagnosis->seen.want = want;
    diagnosis->seen.sampled = diagnosis->complete ? diagnosis->seen.elements : 0;
    for (int32_t i = 0; i < product->matmul.size.m; i++) {
        bool chosen = all || (wrong_rows[i] && seen % step == 0);
        seen += wrong_rows[i];
        if (chosen) {
            float *row = want + (size_t)i * (size_t)product->matmul.size.n;
            exact_row(product, i, row);
            diagnose_row(product, i, row, diagnosis);
        }
    }
}

// Fewer bits are seen all over C; errors in few rows or columns have another cause.
static bool exact_is_low_precision(const struct matmul_launch *product,
                                   const struct diagnosis *diagnosis) {
    uint64_t wrong_columns = 0;
    for (int32_t j = 0; j < product->matmul.size.n; j++) {
        wrong_columns += diagnosis->wrong_columns[j];
    }
    return 4 * diagnosis->wrong_rows >= 3 * (uint64_t)product->matmul.size.m &&
           4 * wrong_columns >= 3 * (uint64_t)product->matmul.size.n &&
           precision_is_low(product->matmul.size.k, &diagnosis->sums);
}

static void exact_report_write(const struct matmul_launch *product,
                               const struct diagnosis *diagnosis, struct oracle_report *report) {
    const struct output_seen *seen = &diagnosis->seen;
    char got[NUMBER_TEXT_MAX];
    char where[REGION_TEXT_MAX];
    report->row = (int32_t)(seen->first / seen->width);
    report->column = (int32_t)(seen->first % seen->width);
    report->got = (float)seen_got(seen, seen->first);
    report->want = seen_want(seen, seen->first);
    report->wrong_count = diagnosis->complete ? diagnosis->wrong.count : 0;
    number_text((double)report->got, got);
    if (diagnosis->complete) {
        region_text(&diagnosis->wrong, product->matmul.size, where);
    } else {
        words_write(where, sizeof where, _("%" PRIu64 " of %d rows"), diagnosis->wrong_rows,
                    product->matmul.size.m);
    }
    report->verdict = VERDICT_WRONG_RESULT;
    if (product->kind == INPUTS_SPARSE) {
        report->explained = EXPLAINED_NOTHING;  // among zeros, many hypotheses hold by chance
    } else {
        report->explained = seen_hypotheses(seen, report->cause, sizeof report->cause);
    }
    if (product->kind == INPUTS_EXACT && report->explained == EXPLAINED_NOTHING &&
        exact_is_low_precision(product, diagnosis)) {
        report->verdict = VERDICT_LOW_PRECISION;
        report->explained = EXPLAINED_ALL_TERMS;
        (void)snprintf(report->cause, sizeof report->cause, "%s",
                       precision_text(seen, product->precision));
    }
    words_write(report->evidence, sizeof report->evidence,
                _("C[%d][%d] is %s and should be %" PRId64 " (wrong: %s)."), report->row,
                report->column, got, (int64_t)report->want, where);
}

// Each writes a whole report. oracle_check decides NOT_WRITTEN before it calls them.
static void oracle_exact(const struct matmul_launch *product, struct oracle_report *ret_report) {
    float *row = xcalloc((size_t)product->matmul.size.n, sizeof *row);
    uint8_t *wrong_rows = xcalloc((size_t)product->matmul.size.m, sizeof *wrong_rows);
    struct diagnosis diagnosis = {.wrong_rows = 0};
    diagnosis.wrong_columns = xcalloc((size_t)product->matmul.size.n, 1);
    if (size_multiply_adds(product->matmul.size) <= ORACLE_FULL_MAX) {
        diagnosis.wrong_rows = rows_compare(product, row, wrong_rows);
    } else {
        diagnosis.wrong_rows = freivalds_check(product->key, &product->matmul, wrong_rows);
    }
    if (diagnosis.wrong_rows == 0) {
        ret_report->verdict = VERDICT_PASS;
    } else {
        size_t elements = size_elements_c(product->matmul.size);
        float *want = xmalloc(elements * sizeof *want);
        memcpy(want, product->matmul.c, elements * sizeof *want);
        diagnose(product, wrong_rows, want, &diagnosis);
        exact_report_write(product, &diagnosis, ret_report);
        free(want);
    }
    free(diagnosis.wrong_columns);
    free(wrong_rows);
    free(row);
}

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

#define WHOLE_ELEMENTS_MIN 8        // this many whole numbers are not an accident
#define FRACTIONS_END      0x1p23f  // floats from here on are all whole

// Errors of low precision, relative to sqrt(K) / 3: at most 2^-6 (BF16 has 2^-9), and a quarter of
// one missing term.  At least half of the elements have such an error, and none has one far above
// the others.
#define PEAK_TO_RMS_MAX   8.0  // as in precision.c
#define FEWER_BITS_MIN    16   // as there, a minimum number of elements
#define LOW_PRECISION_MAX 0x1p-6
#define TERM_SHARE_MAX    0.7

struct row_comparison {
    const struct matmul_launch *product;
    int32_t row_count;  // rows judged
    int32_t rows[ORACLE_ROWS_MAX];
    bool all_rows;             // if so, rows[] is not used
    bool lone;                 // other rows are right: errors are not everywhere
    int32_t group_rows;        // rows of one tile
    double *want, *magnitude;  // [group_rows][N]: A B and |A||B|
    double bound_factor;       // gamma_{K+1}, or the factor for narrow factors …
    double bound_plus;         // added to bound_factor |A||B|
    struct region over_bound;
    uint64_t compared, nonfinite;
    uint64_t inexact;  // errors above half of a tile's allowed root mean square
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
// columns from `column` on, against the allowed one.
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
        if (group * width < TILE_ELEMENTS || comparison->product->kind == INPUTS_BINADES) {
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
    return comparison->product->kind != INPUTS_BINADES && comparison->nonfinite == 0 && many &&
           !comparison->lone && relative <= fmin(LOW_PRECISION_MAX, TERM_SHARE_MAX / sqrt(terms));
}

// The cause that whole numbers in all of C suggest, as A and B hold fractions; "" if C has other
// numbers, or some so large that every float is whole.
static const char *whole_text(const struct matmul_launch *product) {
    size_t elements = size_elements_c(product->matmul.size);
    bool any = false;
    for (size_t i = 0; i < elements; i++) {
        float value = product->matmul.c[i];
        if (!(fabsf(value) < FRACTIONS_END) || truncf(value) != value) {
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
    char nan[ORACLE_TEXT_MAX];
    const char *cause = "";
    report->verdict = VERDICT_WRONG_RESULT;
    report->row = comparison->row;
    report->column = comparison->column;
    report->got = value;
    report->want = comparison->wanted;
    report->wrong_count = comparison->all_rows ? comparison->over_bound.count : 0;
    if (isnan(value)) {
        seen_nan_explain(signature_of_matmul(), ARRAY_C, poison_was_read(value), nan, sizeof nan);
        cause = nan;
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

static void oracle_real(const struct matmul_launch *product, struct oracle_report *ret_report) {
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
    comparison.want = xcalloc(elements, sizeof *comparison.want);
    comparison.magnitude = xcalloc(elements, sizeof *comparison.magnitude);
    rows_judge(&comparison);
    ret_report->verdict = VERDICT_PASS;
    if (comparison.found) {
        real_report_write(&comparison, ret_report);
    }
    free(comparison.magnitude);
    free(comparison.want);
}

struct oracle_report oracle_explain_row(enum precision precision, const struct matmul *matmul,
                                        int32_t row) {
    const struct matmul_launch product = {.matmul = *matmul, .precision = precision};
    const int32_t n = matmul->size.n;
    struct row_comparison comparison = {
        .product = &product, .row_count = 1, .rows = {row}, .group_rows = 1, .lone = true};
    struct oracle_report report;
    comparison.want = xcalloc((size_t)n, sizeof *comparison.want);
    comparison.magnitude = xcalloc((size_t)n, sizeof *comparison.magnitude);
    memset(&report, 0, sizeof report);
    bound_choose(&comparison);
    reference_row(&product, row, comparison.want, comparison.magnitude);
    row_compare(&comparison, row, comparison.want, comparison.magnitude);
    tile_judge(&comparison, 0, 0, n, 0.0);
    real_report_write(&comparison, &report);
    free(comparison.magnitude);
    free(comparison.want);
    return report;
}

static void number_text(double number, char text[NUMBER_TEXT_MAX]) {
    if (isnan(number)) {
        (void)snprintf(text, NUMBER_TEXT_MAX, "NaN");
    } else if (isinf(number)) {
        (void)snprintf(text, NUMBER_TEXT_MAX, "%sInf", number < 0 ? "-" : "");
    } else {
        (void)snprintf(text, NUMBER_TEXT_MAX, "%.9g", number);
    }
}

static double want_of(const struct matmul_launch *product, int32_t row, int32_t column) {
    double sum = 0;
    for (int32_t k = 0; k < product->matmul.size.k; k++) {
        sum +=
            (double)product->matmul.a[(size_t)row * (size_t)product->matmul.size.k + (size_t)k] *
            (double)product->matmul.b[(size_t)k * (size_t)product->matmul.size.n + (size_t)column];
    }
    return sum;
}

// True if the whole column still holds poison.
static bool is_column_unwritten(const struct matmul_launch *product, int32_t column) {
    for (int32_t i = 0; i < product->matmul.size.m; i++) {
        if (!poison_is(
                product->matmul.c[(size_t)i * (size_t)product->matmul.size.n + (size_t)column])) {
            return false;
        }
    }
    return true;
}

// Adds an element to a gap.
static void gap_add(struct coverage_gap *gap, uint32_t row, uint32_t column) {
    if (gap->missing == 0) {
        *gap = (struct coverage_gap){.first = {row, column}, .last = {row, column}};
    }
    gap->missing++;
    gap->last[0] = row;  // rows come in order
    gap->first[1] = column < gap->first[1] ? column : gap->first[1];
    gap->last[1] = column > gap->last[1] ? column : gap->last[1];
}

// Adds a row or column in which nothing was written.
static void line_add(uint32_t line, uint32_t *count, uint32_t ends[2]) {
    ends[0] = *count == 0 ? line : ends[0];
    ends[1] = line;
    ++*count;
}

// Finds the gaps where poison is left in C, and notes the first such element in the report.
static void poison_map(const struct matmul_launch *product, struct coverage_gap *gap,
                       struct oracle_report *report) {
    int32_t n = product->matmul.size.n;
    for (int32_t i = 0; i < product->matmul.size.m; i++) {
        const float *row = product->matmul.c + (size_t)i * (size_t)n;
        uint64_t before = gap->missing;
        for (int32_t j = 0; j < n; j++) {
            if (poison_is(row[j])) {
                if (gap->missing == 0) {
                    report->row = i;
                    report->column = j;
                    report->got = row[j];
                }
                gap_add(gap, (uint32_t)i, (uint32_t)j);
            }
        }
        if (gap->missing - before == (uint64_t)n) {
            line_add((uint32_t)i, &gap->row_count, gap->rows);
        }
    }
    for (int32_t j = 0; j < n && gap->missing > 0; j++) {
        if (is_column_unwritten(product, j)) {
            line_add((uint32_t)j, &gap->column_count, gap->columns);
        }
    }
}

// Looks for poison; returns false if there is none.
static bool unwritten_find(const struct matmul_launch *product, struct oracle_report *report) {
    struct coverage_gap gap = {.missing = 0};
    poison_map(product, &gap, report);
    if (gap.missing == 0) {
        return false;
    }
    report->verdict = VERDICT_NOT_WRITTEN;
    report->unwritten_count = gap.missing;
    report->wrong_count = gap.missing;
    report->want = want_of(product, report->row, report->column);
    report->explained = explain_unwritten(&gap, product->matmul.size, report->cause);
    if (gap.missing > 1 && gap.row_count + gap.column_count == 0) {
        words_write(report->evidence, sizeof report->evidence,
                    _("The first of %" PRIu64 " elements is C[%d][%d]."), gap.missing, report->row,
                    report->column);
    }
    return true;
}

struct oracle_report oracle_check(enum precision precision, enum inputs_kind kind,
                                  struct random_key key, const struct matmul *matmul) {
    const struct matmul_launch product = {
        .key = key, .matmul = *matmul, .precision = precision, .kind = kind};
    struct oracle_report report;
    memset(&report, 0, sizeof report);
    if (!unwritten_find(&product, &report)) {
        if (kind == INPUTS_EXACT || kind == INPUTS_SPARSE) {
            oracle_exact(&product, &report);
        } else {
            oracle_real(&product, &report);
        }
    }
    return report;
}

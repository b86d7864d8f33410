// Freivalds' test of exact inputs uses sums of unsigned numbers.  Each value is raised by an offset
// that makes it positive, and the offset times the sum of the vector is subtracted at the end.  So
// the inner loop needs only a product of 32-bit numbers, which every processor has as a vector
// instruction.
//
// For a product of real inputs, which rounds, C x is compared with A (B x) in fp64. x has random
// signs, so the mean square of a row's difference is the sum of the squares of its errors, however
// they are related.  So the differences of some rows show the root mean square error of all their
// elements, which is compared with the bound of test R (oracle.h), with a margin for the few
// samples.  A single row may differ by eight times as much: an error of one missing term is some
// hundred times as large.  The proven bound of each element is far above that for all but the
// smallest K.
//
// Source  decisions/0008-timed-launches.md; Hoeffding's inequality: a row whose errors have a norm
//         of e differs by more than t e with a chance of at most 2 exp(-t^2 / 2).
#include "judge/speed/timed_check.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/basics.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/random.h"
#include "judge/expected/expected_case.h"
#include "judge/model/inputs.h"
#include "judge/oracle/matmul_oracle.h"

#define REAL_VECTORS 4

// The differences of an output's rows; initially all 0.
struct timed_real_rows {
    int32_t rows;
    double squares;
    double worst;  // the largest difference; infinite if an element is not finite
    int32_t worst_row;
};

#define STREAM_SIGNS (UINT64_C(3) << 60)
#define WORD_BITS    64
#define ROW_FACTOR   8.0  // of one row, relative to the mean of many
#define FEW_SAMPLES  6.0  // the mean of n squares is this many times 1 / sqrt(n) above the true one

// Fills `count` quadruples, one number of each vector, with random signs.
static void timed_real_vectors(struct random_key secret, int32_t count, double *ret_x) {
    int64_t numbers = (int64_t)count * REAL_VECTORS;
    uint64_t bits = 0;
    for (int64_t i = 0; i < numbers; i++) {
        if (i % WORD_BITS == 0) {
            bits = random_at(secret, STREAM_SIGNS + (uint64_t)(i / WORD_BITS));
        }
        ret_x[i] = (bits >> (i % WORD_BITS) & 1) != 0 ? -1.0 : 1.0;
    }
}

// Two sums for each vector, so that an addition need not wait for the one before.
CLONES FAST static void real_dots(const float *row, const double *x, int32_t count,
                                  double ret_sums[REAL_VECTORS]) {
    double even[REAL_VECTORS] = {0};
    double odd[REAL_VECTORS] = {0};
    int32_t j = 0;
    for (; j + 1 < count; j += 2) {
        const double *at = x + (int64_t)j * REAL_VECTORS;
        for (int v = 0; v < REAL_VECTORS; v++) {
            even[v] += (double)row[j] * at[v];
            odd[v] += (double)row[j + 1] * at[REAL_VECTORS + v];
        }
    }
    for (int v = 0; v < REAL_VECTORS; v++) {
        double last = j < count ? (double)row[j] * x[(int64_t)j * REAL_VECTORS + v] : 0.0;
        ret_sums[v] = even[v] + odd[v] + last;
    }
}

// The products of a matrix row with the vectors.
//
// Shapes   row [columns], x [columns][REAL_VECTORS].
static void timed_real_row(const float *row, int32_t columns, const double *x,
                           double ret_products[REAL_VECTORS]) {
    real_dots(row, x, columns, ret_products);
}

// Adds row `row` of C, whose products with the vectors should be `want`.
static void timed_real_add(struct timed_real_rows *rows, int32_t row, const float *c,
                           int32_t columns, const double *x, const double want[REAL_VECTORS]) {
    double got[REAL_VECTORS];
    real_dots(c, x, columns, got);
    for (int v = 0; v < REAL_VECTORS; v++) {
        double difference = fabs(got[v] - want[v]);
        difference = isfinite(difference) ? difference : INFINITY;
        rows->squares += difference * difference;
        if (difference > rows->worst || (rows->rows == 0 && v == 0)) {
            rows->worst = difference;
            rows->worst_row = row;
        }
    }
    rows->rows++;
}

// True if the errors of the rows are typical of fp32. rms_max is the limit of test R
// (matmul_oracle.h).
static bool timed_real_is_right(const struct timed_real_rows *rows, int32_t columns,
                                double rms_max) {
    double samples = (double)rows->rows * REAL_VECTORS;
    double of_row = rms_max * sqrt((double)columns);
    double rms = sqrt(rows->squares / samples);
    return rms <= of_row * (1.0 + FEW_SAMPLES / sqrt(samples)) &&
           rows->worst <= of_row * ROW_FACTOR;
}

#define VECTORS       3
#define ROWS_AN_ITEM  32
#define INPUT_OFFSET  4096u        // above the largest input
#define OUTPUT_MAX    33554432.0f  // 2^25; a right element is below 2^24
#define OUTPUT_OFFSET 33554432u
#define SPARE         2  // processors left to the workers and the judge
#define STREAM_VECTOR (UINT64_C(3) << 60)

// One launch of the batch.
struct launch_check {
    struct random_key key;
    uint8_t *role;             // [K]
    uint32_t *y_low, *y_high;  // [VECTORS][K]: B x, in halves
    double *y_real;            // [K][REAL_VECTORS]: the same of real inputs
};

struct timed_check {
    struct pool *pool;
    struct size size;
    int batch;
    uint32_t *x;  // [VECTORS][N]
    uint64_t x_sum[VECTORS];
    double *x_real;  // [N][REAL_VECTORS]
    double rms_max;  // of real inputs
    struct random_key key, secret;
    enum element_type element;     // of A and B, if they are drawn
    const struct draw_spec *draw;  // how they are drawn; NULL: as for a product
    struct launch_check *launch;   // [batch]
    const char *output[TIMED_SIDES];
    size_t stride;
    pthread_mutex_t lock;    // guards wrong
    int wrong[TIMED_SIDES];  // the first wrong launch; batch if there is none
    int32_t wrong_row[TIMED_SIDES];
};

struct vector_sums {
    uint64_t of[VECTORS];
};

// The products of one row of raised values with three vectors, x[0..count), x[count..2 count), …
CLONES FAST static struct vector_sums dots(const uint32_t *raised, const uint32_t *x,
                                           int32_t count) {
    const uint32_t *x0 = x;
    const uint32_t *x1 = x + count;
    const uint32_t *x2 = x1 + count;
    uint64_t sum0 = 0;
    uint64_t sum1 = 0;
    uint64_t sum2 = 0;
    for (int32_t j = 0; j < count; j++) {
        uint64_t value = raised[j];
        sum0 += value * x0[j];
        sum1 += value * x1[j];
        sum2 += value * x2[j];
    }
    return (struct vector_sums){{sum0, sum1, sum2}};
}

// Raises the elements of C; false if one is not an integer of the right range (it counts as 0).
CLONES FAST static bool output_raise(const float *row, int32_t count, uint32_t *raised) {
    int32_t bad = 0;
    for (int32_t j = 0; j < count; j++) {
        bool small = fabsf(row[j]) < OUTPUT_MAX;  // false for NaN
        float value = small ? row[j] : 0.0f;
        int32_t integer = (int32_t)value;
        raised[j] = (uint32_t)integer + OUTPUT_OFFSET;
        bad |= !small | ((float)integer != value);
    }
    return bad == 0;
}

CLONES FAST static void input_raise(int32_t *row, int32_t count) {
    for (int32_t j = 0; j < count; j++) {
        row[j] += (int32_t)INPUT_OFFSET;
    }
}

static uint64_t vector_sum(const uint32_t *vector, int32_t count) {
    uint64_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        sum += vector[i];
    }
    return sum;
}

// --- Inputs -------------------------------------------------------------------------------------

// Draws row i of A (0) or B (1).
static void row_draw(const struct timed_check *check, struct random_key key, int matrix, int32_t i,
                     int32_t columns, float *row) {
    uint64_t values[SIZE_DIMENSION_MAX];  // room for any type
    draw_elements(&check->draw[matrix], key, (uint64_t)i * (uint64_t)columns, (uint64_t)columns,
                  values);
    for (int32_t j = 0; j < columns; j++) {
        row[j] = (float)draw_value(check->element, values, (uint64_t)j);
    }
}

static void exact_row(const struct timed_check *check, const struct launch_check *launch,
                      int matrix, int32_t i, int32_t columns, int32_t *row) {
    float drawn[SIZE_DIMENSION_MAX];
    if (check->draw) {
        row_draw(check, launch->key, matrix, i, columns, drawn);
        for (int32_t j = 0; j < columns; j++) {
            row[j] = (int32_t)drawn[j];
        }
    } else if (matrix == 0) {
        exact_row_a(launch->key, i, columns, launch->role, row);
    } else {
        exact_row_b(launch->key, i, columns, (enum exact_role)launch->role[i], row);
    }
}

static void real_row(const struct timed_check *check, const struct launch_check *launch, int matrix,
                     int32_t i, int32_t columns, float *row) {
    if (check->draw) {
        row_draw(check, launch->key, matrix, i, columns, row);
    } else {
        inputs_real(launch->key, matrix == 0 ? STREAM_A : STREAM_B, (uint64_t)i * (uint64_t)columns,
                    columns, row);
    }
}

// --- Work of the threads ------------------------------------------------------------------------

// Phase 0: the roles of one launch, and once for all the vectors.
static void roles_make(void *context, int item) {
    struct timed_check *check = context;
    if (item < check->batch) {
        struct launch_check *launch = &check->launch[item];
        launch->key = exact_batch_key(check->key, (uint32_t)item);
        exact_roles(launch->key, check->size.k, launch->role);
        return;
    }
    for (int32_t i = 0; i < VECTORS * check->size.n; i++) {
        check->x[i] = (uint32_t)random_at(check->secret, STREAM_VECTOR + (uint64_t)i);
    }
    for (int v = 0; v < VECTORS; v++) {
        check->x_sum[v] = vector_sum(check->x + (size_t)v * (size_t)check->size.n, check->size.n);
    }
}

static int items_of(int32_t rows) {
    return (rows + ROWS_AN_ITEM - 1) / ROWS_AN_ITEM;
}

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

// Phase 1: y = B x for some rows of one B.
static void rows_of_b(void *context, int item) {
    struct timed_check *check = context;
    int32_t row[SIZE_DIMENSION_MAX];
    int items = items_of(check->size.k);
    struct launch_check *launch = &check->launch[item / items];
    int32_t first = item % items * ROWS_AN_ITEM;
    int32_t end = least(first + ROWS_AN_ITEM, check->size.k);
    for (int32_t k = first; k < end; k++) {
        exact_row(check, launch, 1, k, check->size.n, row);
        input_raise(row, check->size.n);
        struct vector_sums sums = dots((const uint32_t *)row, check->x, check->size.n);
        for (int v = 0; v < VECTORS; v++) {
            uint64_t y = sums.of[v] - INPUT_OFFSET * check->x_sum[v];
            size_t at = (size_t)v * (size_t)check->size.k + (size_t)k;
            launch->y_low[at] = (uint32_t)y;
            launch->y_high[at] = (uint32_t)(y >> 32);
        }
    }
}

// The sums of y, used to subtract the offset.
static struct vector_sums y_sums(const struct launch_check *launch, int32_t k_count) {
    struct vector_sums sums;
    for (int v = 0; v < VECTORS; v++) {
        size_t at = (size_t)v * (size_t)k_count;
        sums.of[v] = vector_sum(launch->y_low + at, k_count) +
                     (vector_sum(launch->y_high + at, k_count) << 32);
    }
    return sums;
}

static bool row_is_right(const struct timed_check *check, const float *c,
                         const struct vector_sums *want) {
    uint32_t raised[SIZE_DIMENSION_MAX];
    bool right = output_raise(c, check->size.n, raised);
    struct vector_sums got = dots(raised, check->x, check->size.n);
    for (int v = 0; v < VECTORS; v++) {
        right = right && got.of[v] - OUTPUT_OFFSET * check->x_sum[v] == want->of[v];
    }
    return right;
}

static void wrong_note(struct timed_check *check, int side, int launch, int32_t row) {
    (void)pthread_mutex_lock(&check->lock);
    if (launch < check->wrong[side]) {
        check->wrong[side] = launch;
        check->wrong_row[side] = row;
    }
    (void)pthread_mutex_unlock(&check->lock);
}

// C of one side in one launch, from a row on; NULL if there is none.
static const float *output_row(const struct timed_check *check, int side, int launch, int32_t row) {
    const char *c = check->output[side];
    return c ? (const float *)(const void *)(c + (size_t)launch * check->stride) +
                   (size_t)row * (size_t)check->size.n
             : NULL;
}

// Phase 2: some rows of one A, and of the outputs of both sides.
static void rows_of_a(void *context, int item) {
    struct timed_check *check = context;
    int32_t row[SIZE_DIMENSION_MAX];
    struct size size = check->size;
    int items = items_of(size.m);
    int launch_index = item / items;
    const struct launch_check *launch = &check->launch[launch_index];
    const struct vector_sums y_sum = y_sums(launch, size.k);
    int32_t first = item % items * ROWS_AN_ITEM;
    int32_t end = least(first + ROWS_AN_ITEM, size.m);
    for (int32_t i = first; i < end; i++) {
        exact_row(check, launch, 0, i, size.k, row);
        input_raise(row, size.k);
        struct vector_sums want = dots((const uint32_t *)row, launch->y_low, size.k);
        struct vector_sums high = dots((const uint32_t *)row, launch->y_high, size.k);
        for (int v = 0; v < VECTORS; v++) {
            want.of[v] += (high.of[v] << 32) - INPUT_OFFSET * y_sum.of[v];
        }
        for (int side = 0; side < TIMED_SIDES; side++) {
            const float *c = output_row(check, side, launch_index, i);
            if (c && !row_is_right(check, c, &want)) {
                wrong_note(check, side, launch_index, i);
            }
        }
    }
}

// --- The same for real inputs --------------------------------------------------------------------

static void real_vectors(void *context, int item) {
    struct timed_check *check = context;
    (void)item;
    for (int j = 0; j < check->batch; j++) {
        check->launch[j].key = exact_batch_key(check->key, (uint32_t)j);
    }
    timed_real_vectors(check->secret, check->size.n, check->x_real);
}

static void real_rows_of_b(void *context, int item) {
    struct timed_check *check = context;
    float row[SIZE_DIMENSION_MAX];
    int items = items_of(check->size.k);
    struct launch_check *launch = &check->launch[item / items];
    int32_t first = item % items * ROWS_AN_ITEM;
    int32_t end = least(first + ROWS_AN_ITEM, check->size.k);
    for (int32_t k = first; k < end; k++) {
        real_row(check, launch, 1, k, check->size.n, row);
        timed_real_row(row, check->size.n, check->x_real,
                       launch->y_real + (size_t)k * REAL_VECTORS);
    }
}

static void real_rows_of_a(void *context, int item) {
    struct timed_check *check = context;
    struct size size = check->size;
    struct timed_real_rows rows[TIMED_SIDES] = {{.rows = 0}};
    float row[SIZE_DIMENSION_MAX];
    int items = items_of(size.m);
    int index = item / items;
    const struct launch_check *launch = &check->launch[index];
    int32_t first = item % items * ROWS_AN_ITEM;
    int32_t end = least(first + ROWS_AN_ITEM, size.m);
    for (int32_t i = first; i < end; i++) {
        double want[REAL_VECTORS];
        real_row(check, launch, 0, i, size.k, row);
        timed_real_row(row, size.k, launch->y_real, want);
        for (int side = 0; side < TIMED_SIDES; side++) {
            const float *c = output_row(check, side, index, i);
            if (c) {
                timed_real_add(&rows[side], i, c, size.n, check->x_real, want);
            }
        }
    }
    for (int side = 0; side < TIMED_SIDES; side++) {
        if (check->output[side] && !timed_real_is_right(&rows[side], size.n, check->rms_max)) {
            wrong_note(check, side, index, rows[side].worst_row);
        }
    }
}

// --- The interface ------------------------------------------------------------------------------

static void memory_take(struct timed_check *check) {
    size_t k = (size_t)check->size.k;
    check->x = xcalloc((size_t)check->size.n * VECTORS, sizeof *check->x);
    check->x_real = xcalloc((size_t)check->size.n * REAL_VECTORS, sizeof *check->x_real);
    check->launch = xcalloc((size_t)check->batch, sizeof *check->launch);
    for (int i = 0; i < check->batch; i++) {
        struct launch_check *launch = &check->launch[i];
        launch->role = xcalloc(k, 1);
        launch->y_low = xcalloc(k * VECTORS, sizeof *launch->y_low);
        launch->y_high = xcalloc(k * VECTORS, sizeof *launch->y_high);
        launch->y_real = xcalloc(k * REAL_VECTORS, sizeof *launch->y_real);
    }
}

enum status timed_check_new(struct size size, int batch, enum precision precision,
                            struct timed_check **ret_check, struct error *err) {
    struct timed_check *check = xcalloc(1, sizeof *check);
    check->size = size;
    check->batch = batch;
    check->rms_max = oracle_rms_max(precision, size.k);
    (void)pthread_mutex_init(&check->lock, NULL);
    int threads = pool_processors() - SPARE;
    threads = threads < 1 ? 1 : threads;
    memory_take(check);
    enum status status = pool_open(least(threads, POOL_THREADS_MAX), 1, &check->pool, err);
    if (status) {
        timed_check_free(check);
        return status;
    }
    *ret_check = check;
    return STATUS_OK;
}

void timed_check_draw(struct timed_check *check, enum element_type element,
                      const struct draw_spec *spec) {
    check->element = element;
    check->draw = spec;
}

void timed_check_free(struct timed_check *check) {
    if (!check) {
        return;
    }
    pool_close(check->pool);
    for (int i = 0; check->launch && i < check->batch; i++) {
        free(check->launch[i].role);
        free(check->launch[i].y_low);
        free(check->launch[i].y_high);
        free(check->launch[i].y_real);
    }
    (void)pthread_mutex_destroy(&check->lock);
    free(check->launch);
    free(check->x_real);
    free(check->x);
    free(check);
}

void timed_check_start(struct timed_check *check, enum timed_inputs inputs, struct random_key key,
                       struct random_key secret, const void *const outputs[TIMED_SIDES],
                       size_t stride) {
    const int items_b = check->batch * items_of(check->size.k);
    const int items_a = check->batch * items_of(check->size.m);
    const struct pool_phase exact[] = {
        {roles_make, check->batch + 1}, {rows_of_b, items_b}, {rows_of_a, items_a}};
    const struct pool_phase real[] = {
        {real_vectors, 1}, {real_rows_of_b, items_b}, {real_rows_of_a, items_a}};
    pool_wait(check->pool);
    check->key = key;
    check->secret = secret;
    check->stride = stride;
    for (int side = 0; side < TIMED_SIDES; side++) {
        check->output[side] = outputs[side];
        check->wrong[side] = check->batch;
    }
    pool_start(check->pool, inputs == TIMED_REAL ? real : exact, COUNT(exact), check);
}

void timed_check_wait(struct timed_check *check, int ret_wrong[TIMED_SIDES]) {
    pool_wait(check->pool);
    for (int side = 0; side < TIMED_SIDES; side++) {
        ret_wrong[side] = check->wrong[side] < check->batch ? check->wrong[side] : -1;
    }
}

int32_t timed_check_wrong_row(const struct timed_check *check, int side) {
    return check->wrong_row[side];
}

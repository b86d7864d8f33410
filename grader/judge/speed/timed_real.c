// The four vectors are next to each other, so that one instruction multiplies an element by all.
#include "judge/speed/timed_real.h"

#include <math.h>

#include "base/basics.h"
#include "base/random.h"

#define STREAM_SIGNS (UINT64_C(3) << 60)
#define WORD_BITS    64
#define ROW_FACTOR   8.0  // of one row, beyond what many may have
#define FEW_SAMPLES  6.0  // the mean of n squares is so many times 1 / sqrt(n) above the true one

void timed_real_vectors(struct random_key secret, int32_t count, double *ret_x) {
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

void timed_real_row(const float *row, int32_t columns, const double *x,
                    double ret_products[REAL_VECTORS]) {
    real_dots(row, x, columns, ret_products);
}

void timed_real_add(struct timed_real_rows *rows, int32_t row, const float *c, int32_t columns,
                    const double *x, const double want[REAL_VECTORS]) {
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

bool timed_real_is_right(const struct timed_real_rows *rows, int32_t columns, double rms_max) {
    double samples = (double)rows->rows * REAL_VECTORS;
    double of_row = rms_max * sqrt((double)columns);
    double rms = sqrt(rows->squares / samples);
    return rms <= of_row * (1.0 + FEW_SAMPLES / sqrt(samples)) &&
           rows->worst <= of_row * ROW_FACTOR;
}

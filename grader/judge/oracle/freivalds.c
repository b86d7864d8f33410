// Three random vectors go through each matrix in one sweep: a row is turned into integers, then
// multiplied by all three.
#include "judge/oracle/freivalds.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/basics.h"

#define VECTORS     3
#define INTEGER_MAX 33554432.0f  // 2^25; a right element is below 2^24

struct freivalds_sums {
    uint64_t of[VECTORS];
};

// Turns a row into integers.  An element that is not an integer becomes 0, and the result is false.
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

enum status freivalds_check(struct random_key key, const struct matmul *matmul,
                            uint8_t *ret_wrong_rows, uint64_t *ret_count, struct error *err) {
    const struct size size = matmul->size;
    enum status status = STATUS_OK;
    size_t widest = (size_t)(size.n > size.k ? size.n : size.k);
    uint64_t *x = calloc((size_t)size.n * VECTORS, sizeof *x);  // [VECTORS][N]
    uint64_t *y = calloc((size_t)size.k * VECTORS, sizeof *y);  // [VECTORS][K], B x
    int32_t *integers = calloc(widest, sizeof *integers);
    uint64_t wrong = 0;
    if (!x || !y || !integers) {
        status = fail(err, STATUS_NO_MEMORY, "no memory to check a product");
        goto out;
    }
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
    *ret_count = wrong;

out:
    free(integers);
    free(y);
    free(x);
    return status;
}

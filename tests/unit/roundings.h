// Sums of a product as kernels of lower precision make them, for tests of the oracle.
#ifndef TESTS_UNIT_ROUNDINGS_H
#define TESTS_UNIT_ROUNDINGS_H

#include <math.h>
#include <string.h>

#include "product.h"

typedef float (*sum_function)(const struct matrices *x, int32_t i, int32_t j);

static inline void fill_c(struct matrices *x, sum_function sum) {
    for (int32_t i = 0; i < x->size.m; i++) {
        for (int32_t j = 0; j < x->size.n; j++) {
            *c_at(x, i, j) = sum(x, i, j);
        }
    }
}

static inline float keep(float value, int bits, bool nearest) {
    uint32_t word = 0;
    int drop = 24 - bits;
    memcpy(&word, &value, sizeof word);
    if (nearest) {
        word += ((1u << drop) / 2 - 1) + ((word >> drop) & 1);
    }
    word &= ~((1u << drop) - 1);
    memcpy(&value, &word, sizeof value);
    return value;
}

static inline float sum_keep(const struct matrices *x, int32_t i, int32_t j, int bits, bool nearest,
                             bool of_b) {
    float sum = 0.0f;
    for (int32_t k = 0; k < x->size.k; k++) {
        float b = b_at(x, k, j);
        sum += keep(a_at(x, i, k), bits, nearest) * (of_b ? keep(b, bits, nearest) : b);
    }
    return sum;
}

static inline float sum_tf32(const struct matrices *x, int32_t i, int32_t j) {
    return sum_keep(x, i, j, 11, true, true);
}
static inline float sum_tf32_cut(const struct matrices *x, int32_t i, int32_t j) {
    return sum_keep(x, i, j, 11, false, true);
}
static inline float sum_tf32_of_a(const struct matrices *x, int32_t i, int32_t j) {
    return sum_keep(x, i, j, 11, true, false);
}
static inline float sum_bf16(const struct matrices *x, int32_t i, int32_t j) {
    return sum_keep(x, i, j, 8, true, true);
}
static inline float sum_bf16_cut(const struct matrices *x, int32_t i, int32_t j) {
    return sum_keep(x, i, j, 8, false, true);
}

// FP16 also keeps the sum: 11 bits, and infinite above 65504.
static inline float sum_in_fp16(const struct matrices *x, int32_t i, int32_t j) {
    float sum = 0.0f;
    for (int32_t k = 0; k < x->size.k; k++) {
        sum = keep(sum + keep(a_at(x, i, k), 11, true) * keep(b_at(x, k, j), 11, true), 11, true);
        if (fabsf(sum) > 65504.0f) {
            return copysignf(INFINITY, sum);
        }
    }
    return sum;
}

#endif

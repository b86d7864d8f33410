// A product for tests of the judge: inputs from a fixed key, and a C to plant mistakes in.
#ifndef TESTS_UNIT_PRODUCT_H
#define TESTS_UNIT_PRODUCT_H

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "judge/model/inputs.h"
#include "judge/oracle/matmul_oracle.h"

static const struct random_key product_key = {{0x0123456789abcdef, 0xfedcba9876543210}};

struct matrices {
    struct size size;
    enum inputs_kind kind;
    float *a, *b, *c;
};

static inline struct matrices matrices_new(enum inputs_kind kind, int32_t m, int32_t n, int32_t k) {
    struct matrices matrices = {.size = {m, n, k}, .kind = kind};
    matrices.a = malloc(size_elements_a(matrices.size) * sizeof(float));
    matrices.b = malloc(size_elements_b(matrices.size) * sizeof(float));
    matrices.c = malloc(size_elements_c(matrices.size) * sizeof(float));
    assert(matrices.a && matrices.b && matrices.c);
    inputs_fill(kind, product_key, matrices.size, matrices.a, matrices.b);
    poison_fill(matrices.c, size_elements_c(matrices.size));
    return matrices;
}

static inline void matrices_free(struct matrices *matrices) {
    free(matrices->a);
    free(matrices->b);
    free(matrices->c);
}

static inline float a_at(const struct matrices *x, int32_t i, int32_t k) {
    return x->a[(size_t)i * (size_t)x->size.k + (size_t)k];
}

static inline float b_at(const struct matrices *x, int32_t k, int32_t j) {
    return x->b[(size_t)k * (size_t)x->size.n + (size_t)j];
}

static inline float *c_at(struct matrices *x, int32_t i, int32_t j) {
    return &x->c[(size_t)i * (size_t)x->size.n + (size_t)j];
}

// The sum of the terms [first, end) in plain order.
static inline float terms_sum(const struct matrices *x, int32_t i, int32_t j, int32_t first,
                              int32_t end) {
    float sum = 0.0f;
    for (int32_t k = first; k < end; k++) {
        sum += a_at(x, i, k) * b_at(x, k, j);
    }
    return sum;
}

static inline void multiply(struct matrices *x) {
    for (int32_t i = 0; i < x->size.m; i++) {
        for (int32_t j = 0; j < x->size.n; j++) {
            *c_at(x, i, j) = terms_sum(x, i, j, 0, x->size.k);
        }
    }
}

// Inputs for kernels that may round their factors to 11 bits.
static inline struct matrices matrices_narrow(enum inputs_kind kind, int32_t m, int32_t n,
                                              int32_t k) {
    struct matrices matrices = matrices_new(kind, m, n, k);
    if (kind == INPUTS_EXACT) {
        inputs_fill(kind, exact_narrow(product_key), matrices.size, matrices.a, matrices.b);
    }
    return matrices;
}

static inline struct oracle_report check_of(enum precision precision, const struct matrices *x) {
    return oracle_check(precision, x->kind, product_key,
                        &(struct matmul){x->size, x->a, x->b, x->c});
}

static inline struct oracle_report check_narrow(const struct matrices *x) {
    return check_of(PRECISION_FP16, x);
}

static inline struct oracle_report check(const struct matrices *x) {
    return check_of(PRECISION_FP32, x);
}

#endif

// The sizes of one product C = A B: A is M x K, B is K x N, C is M x N, row-major, no padding.
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define SIZE_TEXT_MAX 40  // bytes of "MxNxK" with the final NUL

struct size {
    int32_t m, n, k;
};

static inline bool size_equal(struct size a, struct size b) {
    return a.m == b.m && a.n == b.n && a.k == b.k;
}

// Elements (not bytes) of each matrix.
static inline size_t size_elements_a(struct size size) {
    return (size_t)size.m * (size_t)size.k;
}
static inline size_t size_elements_b(struct size size) {
    return (size_t)size.k * (size_t)size.n;
}
static inline size_t size_elements_c(struct size size) {
    return (size_t)size.m * (size_t)size.n;
}

// Multiply-adds of the product: M N K.
static inline uint64_t size_multiply_adds(struct size size) {
    return (uint64_t)size.m * (uint64_t)size.n * (uint64_t)size.k;
}

// Reads "67x33x129" (M x N x K, each 1 to SIZE_DIMENSION_MAX) or "512" (all three the same).
// Errors: STATUS_BAD_USAGE names the text and the form expected.
enum status size_parse(const char *text, struct size *ret_size, struct error *err);

// Writes "67x33x129".
void size_format(struct size size, char text[SIZE_TEXT_MAX]);

#endif

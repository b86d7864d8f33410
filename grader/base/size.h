// The sizes of one launch.  A product C = A B has M, N and K: A is M x K, B is K x N, C is M x N,
// row-major, no padding.  Other exercises have one to SIZE_RANK_MAX sizes of their own.
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define SIZE_RANK_MAX 4
#define SIZE_TEXT_MAX 48  // bytes of "MxNxK" with the final NUL

struct size {
    union {
        int32_t at[SIZE_RANK_MAX];  // 0 after the last one
        struct {
            int32_t m, n, k, rest;  // of a product
        };
    };
};

static inline bool size_equal(struct size a, struct size b) {
    return a.m == b.m && a.n == b.n && a.k == b.k && a.rest == b.rest;
}

// How many sizes there are; 0: no size.
static inline int size_rank(struct size size) {
    int count = 0;
    while (count < SIZE_RANK_MAX && size.at[count] > 0) {
        count++;
    }
    return count;
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

// Reads one to SIZE_RANK_MAX numbers, "1000" or "67x33x3", each from 1 to most.  Returns how many;
// 0 if text is anything else.
int size_numbers(const char *text, int32_t most, struct size *ret_size);

// Reads "67x33x129" (M x N x K, each 1 to SIZE_DIMENSION_MAX) or "512" (all three the same).
// Errors: STATUS_BAD_USAGE names the text and the form expected.
enum status size_parse(const char *text, struct size *ret_size, struct error *err);

// As above for a size typed before its exercise is known: it has as many numbers as were typed.
enum status size_typed(const char *text, struct size *ret_size, struct error *err);

// Writes "67x33x129", as many numbers as the size has.
void size_format(struct size size, char text[SIZE_TEXT_MAX]);

#endif

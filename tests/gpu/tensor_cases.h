// Multiplications of tensor cores: inputs that are drawn, and what an H200 made of them.  Read by
// tests/gpu/tensor_values.cu, which measures, and by tests/unit/emu/test_tensor.c.
#ifndef TESTS_GPU_TENSOR_CASES_H
#define TESTS_GPU_TENSOR_CASES_H

#include <stdint.h>

#define TENSOR_PRODUCTS 64  // of each case

// Types by their numbers in emu/tensor/tensor_cores.h.
#define T_HALF  0
#define T_BF16  1
#define T_TF32  2
#define T_S8    3
#define T_U8    4
#define T_FLOAT 5
#define T_INT   6

// X(number, M, N, K, type of A and B, type of C, type of D)
#define TENSOR_CASES(X)                                                                            \
    X(0, 16, 16, 16, T_HALF, T_FLOAT, T_FLOAT)                                                     \
    X(1, 16, 16, 16, T_HALF, T_HALF, T_HALF)                                                       \
    X(2, 16, 16, 16, T_HALF, T_HALF, T_FLOAT)                                                      \
    X(3, 16, 16, 16, T_HALF, T_FLOAT, T_HALF)                                                      \
    X(4, 32, 8, 16, T_HALF, T_FLOAT, T_FLOAT)                                                      \
    X(5, 32, 8, 16, T_HALF, T_HALF, T_HALF)                                                        \
    X(6, 8, 32, 16, T_HALF, T_FLOAT, T_FLOAT)                                                      \
    X(7, 8, 32, 16, T_HALF, T_HALF, T_HALF)                                                        \
    X(8, 16, 16, 16, T_BF16, T_FLOAT, T_FLOAT)                                                     \
    X(9, 32, 8, 16, T_BF16, T_FLOAT, T_FLOAT)                                                      \
    X(10, 8, 32, 16, T_BF16, T_FLOAT, T_FLOAT)                                                     \
    X(11, 16, 16, 8, T_TF32, T_FLOAT, T_FLOAT)                                                     \
    X(12, 16, 16, 16, T_S8, T_INT, T_INT)                                                          \
    X(13, 32, 8, 16, T_S8, T_INT, T_INT)                                                           \
    X(14, 8, 32, 16, T_S8, T_INT, T_INT)                                                           \
    X(15, 16, 16, 16, T_U8, T_INT, T_INT)                                                          \
    X(16, 32, 8, 16, T_U8, T_INT, T_INT)                                                           \
    X(17, 8, 32, 16, T_U8, T_INT, T_INT)

// The same for mma.sync.
#define TENSOR_MMA_CASES(X)                                                                        \
    X(18, 16, 8, 16, T_HALF, T_FLOAT, T_FLOAT)                                                     \
    X(19, 16, 8, 16, T_HALF, T_HALF, T_HALF)                                                       \
    X(20, 16, 8, 8, T_HALF, T_FLOAT, T_FLOAT)                                                      \
    X(21, 16, 8, 8, T_HALF, T_HALF, T_HALF)                                                        \
    X(22, 16, 8, 16, T_BF16, T_FLOAT, T_FLOAT)                                                     \
    X(23, 16, 8, 8, T_BF16, T_FLOAT, T_FLOAT)                                                      \
    X(24, 16, 8, 8, T_TF32, T_FLOAT, T_FLOAT)                                                      \
    X(25, 16, 8, 4, T_TF32, T_FLOAT, T_FLOAT)                                                      \
    X(26, 16, 8, 32, T_S8, T_INT, T_INT)                                                           \
    X(27, 16, 8, 16, T_S8, T_INT, T_INT)                                                           \
    X(28, 16, 8, 32, T_U8, T_INT, T_INT)                                                           \
    X(29, 16, 8, 16, T_U8, T_INT, T_INT)                                                           \
    X(30, 16, 8, 16, T_HALF, T_FLOAT, T_FLOAT)                                                     \
    X(31, 16, 8, 16, T_HALF, T_HALF, T_HALF)                                                       \
    X(32, 16, 8, 16, T_BF16, T_FLOAT, T_FLOAT)                                                     \
    X(33, 16, 8, 8, T_TF32, T_FLOAT, T_FLOAT)
#define TENSOR_CASE_COUNT 34
#define TENSOR_SPECIAL    30  // from this case on: infinities, NaNs, and the largest numbers

// Source: a mixer of 32 bits, Wellons, Prospecting for hash functions, 2018 (lowbias32).
static inline uint32_t tensor_mix(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

// Infinity, NaN, and numbers whose products or sums are too large: as often as another.
static inline uint32_t tensor_special(int type, uint32_t which, uint32_t sign) {
    uint32_t bits = which == 0 ? 0x7f800000u : which == 1 ? 0x7fc00000u : 0x7f7f0000u;
    if (type == T_HALF) {
        bits = which == 0 ? 0x7c00 : which == 1 ? 0x7e00 : 0x7bff;
        return bits | sign << 15;
    }
    return type == T_BF16 ? (bits | sign << 31) >> 16 : bits | sign << 31;
}

// The bits of element `index` of a matrix (0: A, 1: B, 2: C).  Numbers of both signs; exponents
// are spread so far that small terms are lost beside large ones; one in sixteen is 0.
static inline uint32_t tensor_input(uint32_t number, uint32_t product, uint32_t matrix,
                                    uint32_t index, int type) {
    uint32_t draw = tensor_mix(((number * TENSOR_PRODUCTS + product) * 3 + matrix) * 1024 + index);
    uint32_t spread = 1 + product % 16;  // of exponents
    uint32_t below = (draw >> 24) % spread;
    uint32_t sign = draw & 1;
    if (type == T_INT) {
        return tensor_mix(draw);
    }
    if (type == T_S8 || type == T_U8) {
        return draw >> 8 & 0xff;
    }
    if ((draw >> 1 & 15) == 0) {
        return 0;
    }
    if (number >= TENSOR_SPECIAL && (draw >> 8 & 15) == 0) {
        return tensor_special(type, draw >> 12 & 7, sign);
    }
    if (type == T_HALF) {
        return sign << 15 | (16 - below) << 10 | (draw >> 5 & 0x3ff);
    }
    if (type == T_BF16) {
        return sign << 15 | (128 - below) << 7 | (draw >> 5 & 0x7f);
    }
    return sign << 31 | (128 - below) << 23 | (tensor_mix(draw) & 0x7fffff);
}

// FNV-1a over the four bytes of each word.
static inline uint64_t tensor_hash(uint64_t hash, uint32_t word) {
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ (word >> 8 * i & 0xff)) * 0x100000001b3ull;
    }
    return hash;
}
#define TENSOR_HASH_START 0xcbf29ce484222325ull

#endif

// The inputs of a case: what each term looks like is decided once per k, then rows are filled in
// one sweep.
//
// Why exact inputs are exact.  Of the K terms of a sum, G have a factor of at most 4095 and the
// others are +1 or -1, so
//     sum over k of |a||b| <= 4095 G + (K - G) = 4094 G + K <= 2^24 - 1    as G <= floor((2^24 - 1
//     - K) / 4094).
// Any partial sum, in any order and grouping, is therefore an integer below 2^24 in magnitude,
// which fp32 holds exactly; so are the products.  No honest kernel rounds anywhere.
#include "judge/inputs.h"

#include <assert.h>
#include <string.h>

#include "base/limits.h"
#include "judge/fast.h"

#define POISON_BITS 0x7fa05eedu  // exponent all ones, quiet bit 0: a signalling NaN
#define QUIET_BIT   0x00400000u

#define BIG_BASE 2049u   // an odd 12-bit integer is BIG_BASE plus
#define BIG_MASK 0x7feu  // an even number up to 2046
#define SIGN_BIT 15

// Who carries the 12 bits of term k.
enum role { ROLE_NONE, ROLE_A, ROLE_B };

const char *inputs_kind_name(enum inputs_kind kind) {
    return kind == INPUTS_EXACT ? "exact" : "real";
}

int32_t inputs_big_terms(int32_t k) {
    int32_t fit = ((1 << 24) - 1 - k) / (INPUTS_BIG_MAX - 1);
    return k < fit ? k : fit;
}

// Chooses the big terms (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S) and their
// roles.  Of each two that follow one another a secret bit says which is A's, so that from two
// terms on both matrices have wide numbers.
static void choose_roles(struct random_key key, int32_t term_count, uint8_t role[]) {
    int32_t wanted = inputs_big_terms(term_count);
    int32_t chosen = 0;
    enum role first = ROLE_A;
    for (int32_t k = 0; k < term_count; k++) {
        uint32_t left = (uint32_t)(term_count - k);
        role[k] = ROLE_NONE;
        if (random_below(key, STREAM_TERMS + 2 * (uint64_t)k, left) >=
            (uint32_t)(wanted - chosen)) {
            continue;
        }
        if (chosen % 2 == 0) {
            first = random_at(key, STREAM_TERMS + 2 * (uint64_t)k + 1) & 1 ? ROLE_A : ROLE_B;
            role[k] = (uint8_t)first;
        } else {
            role[k] = first == ROLE_A ? ROLE_B : ROLE_A;
        }
        chosen++;
    }
    assert(chosen == wanted);
}

// 16 random bits for each element of a row; needs room for count rounded up to 4.
static void row_bits(struct random_key key, uint64_t first_index, int32_t count, uint16_t bits[]) {
    for (int32_t i = 0; i < count; i += 4) {
        uint64_t word = random_at(key, first_index + (uint64_t)(i / 4));
        bits[i] = (uint16_t)word;
        bits[i + 1] = (uint16_t)(word >> 16);
        bits[i + 2] = (uint16_t)(word >> 32);
        bits[i + 3] = (uint16_t)(word >> 48);
    }
}

// base + (bits & mask), with the sign that the top bit says.
static inline float signed_integer(uint16_t bits, uint16_t base, uint16_t mask) {
    int32_t magnitude = base + (bits & mask);
    int32_t sign = -(bits >> SIGN_BIT);  // 0 or -1
    return (float)((magnitude ^ sign) - sign);
}

FAST static void fill_a(struct random_key key, struct size size, const uint8_t role[], float *a) {
    uint16_t base[SIZE_DIMENSION_MAX];
    uint16_t mask[SIZE_DIMENSION_MAX];
    uint16_t bits[SIZE_DIMENSION_MAX + 3];
    for (int32_t k = 0; k < size.k; k++) {
        base[k] = role[k] == ROLE_A ? BIG_BASE : 1;
        mask[k] = role[k] == ROLE_A ? BIG_MASK : 0;
    }
    uint64_t words = ((uint64_t)size.k + 3) / 4;
    for (int32_t i = 0; i < size.m; i++) {
        float *row = a + (size_t)i * (size_t)size.k;
        row_bits(key, STREAM_A + (uint64_t)i * words, size.k, bits);
        for (int32_t k = 0; k < size.k; k++) {
            row[k] = signed_integer(bits[k], base[k], mask[k]);
        }
    }
}

FAST static void fill_b(struct random_key key, struct size size, const uint8_t role[], float *b) {
    uint16_t bits[SIZE_DIMENSION_MAX + 3];
    uint64_t words = ((uint64_t)size.n + 3) / 4;
    for (int32_t k = 0; k < size.k; k++) {
        float *row = b + (size_t)k * (size_t)size.n;
        uint16_t base = role[k] == ROLE_B ? BIG_BASE : 1;
        uint16_t mask = role[k] == ROLE_B ? BIG_MASK : 0;
        row_bits(key, STREAM_B + (uint64_t)k * words, size.n, bits);
        for (int32_t j = 0; j < size.n; j++) {
            row[j] = signed_integer(bits[j], base, mask);
        }
    }
}

// An odd integer below 2^24 in magnitude is exact in fp32, and so is its product with 2^-24.
static inline float uniform(uint32_t bits) {
    int32_t odd = (int32_t)(bits >> 8) * 2 + 1 - (1 << 24);
    return (float)odd * 0x1p-24f;
}

FAST static void fill_real(struct random_key key, uint64_t first_index, size_t count,
                           float *elements) {
    for (size_t i = 0; i + 1 < count; i += 2) {
        uint64_t word = random_at(key, first_index + i / 2);
        elements[i] = uniform((uint32_t)word);
        elements[i + 1] = uniform((uint32_t)(word >> 32));
    }
    if (count % 2 == 1) {
        elements[count - 1] = uniform((uint32_t)random_at(key, first_index + count / 2));
    }
}

void inputs_fill(enum inputs_kind kind, struct random_key key, struct size size, float *a,
                 float *b) {
    assert(size.m <= SIZE_DIMENSION_MAX && size.n <= SIZE_DIMENSION_MAX);
    assert(size.k <= SIZE_DIMENSION_MAX);
    if (kind == INPUTS_EXACT) {
        uint8_t role[SIZE_DIMENSION_MAX];
        choose_roles(key, size.k, role);
        fill_a(key, size, role, a);
        fill_b(key, size, role, b);
    } else {
        fill_real(key, STREAM_A, size_elements_a(size), a);
        fill_real(key, STREAM_B, size_elements_b(size), b);
    }
}

void poison_fill(float *c, size_t count) {
    const uint32_t poison = POISON_BITS;
    for (size_t i = 0; i < count; i++) {
        memcpy(&c[i], &poison, sizeof poison);
    }
}

static uint32_t bits_of(float element) {
    uint32_t bits = 0;
    memcpy(&bits, &element, sizeof bits);
    return bits;
}

bool poison_is(float element) {
    return bits_of(element) == POISON_BITS;
}

bool poison_was_read(float element) {
    return bits_of(element) == (POISON_BITS | QUIET_BIT);
}

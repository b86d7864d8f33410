// Seeds, the keys drawn from them, and exact inputs: the form of each term is decided once per k;
// then each row is made in one sweep.
//
// Why exact inputs are exact.  Of the K terms of a sum, G have a factor of at most 4095 and the
// others are +1 or -1, so
//     sum over k of |a||b| <= 4095 G + (K - G) = 4094 G + K <= 2^24 - 1
// as G <= floor((2^24 - 1 - K) / 4094).
// Any partial sum, in any order and grouping, is therefore an integer below 2^24 in magnitude,
// which fp32 holds exactly; so are the products.  No honest kernel rounds anywhere.
#include "base/random.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include <sha256.h>

#include "base/basics.h"

enum status seed_fresh(struct seed *ret_seed, struct error *err) {
    struct seed seed;
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) {
        return fail_errno(err, STATUS_SYSTEM, "cannot draw a random seed");
    }
    *ret_seed = seed;
    return STATUS_OK;
}

enum status seed_parse(const char *text, struct seed *ret_seed, struct error *err) {
    struct seed seed = {{0, 0}};
    size_t length = strlen(text);
    if (length < 1 || length > 32) {
        return fail(err, STATUS_BAD_USAGE, "bad seed '%s': write 1 to 32 hexadecimal digits", text);
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char digit = (unsigned char)text[i];
        if (!isxdigit(digit)) {
            return fail(err, STATUS_BAD_USAGE, "bad seed '%s': write 1 to 32 hexadecimal digits",
                        text);
        }
        uint64_t value =
            isdigit(digit) ? (uint64_t)(digit - '0') : (uint64_t)(tolower(digit) - 'a' + 10);
        seed.word[0] = (seed.word[0] << 4) | (seed.word[1] >> 60);
        seed.word[1] = (seed.word[1] << 4) | value;
    }
    *ret_seed = seed;
    return STATUS_OK;
}

struct seed seed_shared(struct seed seed) {
    return (struct seed){{seed.word[0] >> 56, 1}};
}

void seed_format(struct seed seed, char text[SEED_TEXT_BYTES]) {
    (void)snprintf(text, SEED_TEXT_BYTES, "%016" PRIx64 "%016" PRIx64, seed.word[0], seed.word[1]);
}

struct random_key random_key_make(struct seed seed, const char *label) {
    SHA2_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)&seed, sizeof seed);
    SHA256Update(&context, (const uint8_t *)label, strlen(label));
    SHA256Final(digest, &context);
    struct random_key key;
    memcpy(&key, digest, sizeof key);
    return key;
}

#define BIG_BASE    2049u   // an odd 12-bit integer is BIG_BASE + (bits & BIG_MASK)
#define BIG_MASK    0x7feu  // selects an even number up to 2046
#define NARROW_BASE 1025u   // the same for 11 bits
#define NARROW_MASK 0x3feu
#define SIGN_BIT    15

struct random_key exact_narrow(struct random_key key) {
    key.word[1] = (uint64_t)EXACT_NARROW << 32 | (key.word[1] & 0xffffffffu);
    return key;
}

static bool is_narrow(struct random_key key) {
    return key.word[1] >> 32 == EXACT_NARROW;
}

int32_t exact_big_terms(int32_t k) {
    int32_t fit = ((1 << 24) - 1 - k) / (EXACT_BIG_MAX - 1);
    return k < fit ? k : fit;
}

// Algorithm S of Knuth, The Art of Computer Programming 2, 3.4.2.  For each pair of successive big
// terms, a secret bit says which one is A's, so that two big terms are enough to give both matrices
// wide numbers.
void exact_roles(struct random_key key, int32_t term_count, uint8_t role[]) {
    int32_t wanted = exact_big_terms(term_count);
    int32_t chosen = 0;
    enum exact_role first = EXACT_A;
    for (int32_t k = 0; k < term_count; k++) {
        uint32_t left = (uint32_t)(term_count - k);
        role[k] = EXACT_NONE;
        if (random_below(key, STREAM_TERMS + 2 * (uint64_t)k, left) >=
            (uint32_t)(wanted - chosen)) {
            continue;
        }
        if (chosen % 2 == 0) {
            first = random_at(key, STREAM_TERMS + 2 * (uint64_t)k + 1) & 1 ? EXACT_A : EXACT_B;
            role[k] = (uint8_t)first;
        } else {
            role[k] = first == EXACT_A ? EXACT_B : EXACT_A;
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
static inline int32_t signed_integer(uint16_t bits, uint16_t base, uint16_t mask) {
    int32_t magnitude = base + (bits & mask);
    int32_t sign = -(bits >> SIGN_BIT);  // 0 or -1
    return (magnitude ^ sign) - sign;
}

FAST void exact_row_a(struct random_key key, int32_t i, int32_t k_count, const uint8_t role[],
                      int32_t row[]) {
    uint16_t bits[SIZE_DIMENSION_MAX + 3];
    uint64_t words = ((uint64_t)k_count + 3) / 4;
    const uint16_t base = is_narrow(key) ? NARROW_BASE : BIG_BASE;
    const uint16_t mask = is_narrow(key) ? NARROW_MASK : BIG_MASK;
    assert(k_count <= SIZE_DIMENSION_MAX);
    row_bits(key, STREAM_A + (uint64_t)i * words, k_count, bits);
    for (int32_t k = 0; k < k_count; k++) {
        uint16_t big = role[k] == EXACT_A ? 0xffff : 0;
        row[k] = signed_integer(bits[k], (uint16_t)(1 + (big & (base - 1))), big & mask);
    }
}

FAST void exact_row_b(struct random_key key, int32_t k, int32_t n_count, enum exact_role role,
                      int32_t row[]) {
    uint16_t bits[SIZE_DIMENSION_MAX + 3];
    uint64_t words = ((uint64_t)n_count + 3) / 4;
    uint16_t base = role != EXACT_B ? 1 : is_narrow(key) ? NARROW_BASE : BIG_BASE;
    uint16_t mask = role != EXACT_B ? 0 : is_narrow(key) ? NARROW_MASK : BIG_MASK;
    assert(n_count <= SIZE_DIMENSION_MAX);
    row_bits(key, STREAM_B + (uint64_t)k * words, n_count, bits);
    for (int32_t j = 0; j < n_count; j++) {
        row[j] = signed_integer(bits[j], base, mask);
    }
}

struct random_key exact_batch_key(struct random_key key, uint32_t j) {
    if (j == 0) {
        return key;
    }
    struct random_key batch = {{random_at(key, STREAM_BATCH + 2 * (uint64_t)j),
                                random_at(key, STREAM_BATCH + 2 * (uint64_t)j + 1)}};
    return is_narrow(key) ? exact_narrow(batch) : batch;
}

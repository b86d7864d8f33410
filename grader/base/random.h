// Random numbers that are a function of a key and an index, so that any of them can be made again.
//
// A run has one secret 128-bit seed.  Each use of it (a case, a timed pair) draws a key of its own
// by SHA-256, so that a kernel that learns the numbers of one case learns nothing of another.
//
// Exact inputs, in which every element is a function of a key: the judge makes them on the host,
// and the worker on the GPU makes the same (device/gpu/inputs.cu).
//
// For each k, one factor is an odd signed 12-bit integer and the other is +1 or -1.  At most
// floor((2^24 - 1 - K) / 4094) values of k, which the key selects, have such a wide factor; for the
// others both factors are +1 or -1. So the sum over k of |a||b| is below 2^24, every partial sum is
// exact in fp32, and no element is 0.
//
// If a product may round its factors to 11 bits, the precision of TF32 and FP16, the odd integers
// have 11 bits too, so that nothing is rounded.  The key says so: its upper bits are EXACT_NARROW.
// (One random key in 2^32 has these bits by chance, which does no harm: 11-bit inputs are exact as
// well.)
//
// Source  grader/decisions/0004-exact-inputs.md
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

#include "base/error.h"
#include "base/limits.h"

#define SEED_TEXT_BYTES 33  // 32 hexadecimal digits and the final NUL

struct seed {
    uint64_t word[2];
};

struct random_key {
    uint64_t word[2];
};

// A fresh seed from the kernel's generator (getrandom).
enum status seed_fresh(struct seed *ret_seed, struct error *err);

// Reads 1 to 32 hexadecimal digits (shorter ones count as leading zeros).
// Errors: STATUS_BAD_USAGE names the text.
enum status seed_parse(const char *text, struct seed *ret_seed, struct error *err);

// The first 8 bits of a seed, as a seed of their own.  All submissions of a class have these bits
// in common (class/run/state.py), so what is drawn from them is the same for all: a luckier draw
// must not bring one student more points than another.
struct seed seed_shared(struct seed seed);

// Writes 32 lower-case hexadecimal digits.
void seed_format(struct seed seed, char text[SEED_TEXT_BYTES]);

// The key for one purpose, such as "tiled/exact/67x33x129": SHA-256 of seed and label.
struct random_key random_key_make(struct seed seed, const char *label);

// Number `index` of the sequence that belongs to key; uniform over all 64-bit values.
// Source: SplitMix64 (Steele, Lea, Flood 2014), its finaliser applied to key and index.
static inline uint64_t random_at(struct random_key key, uint64_t index) {
    uint64_t z = key.word[0] + (index + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z = (z ^ (z >> 31)) ^ key.word[1];
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93ULL;
    return z ^ (z >> 32);
}

// Uniform in [0, bound), bound >= 1.  Bias below 2^-32 for the bounds used here (< 2^32).
// Source: Lemire 2019, multiply-shift.
static inline uint32_t random_below(struct random_key key, uint64_t index, uint32_t bound) {
    return (uint32_t)(((random_at(key, index) >> 32) * (uint64_t)bound) >> 32);
}

// The largest factor of exact inputs, and the smallest of the big ones.
#define EXACT_BIG_MAX 4095
#define EXACT_BIG_MIN 2049

#define EXACT_NARROW 0x4e617277u

// Turns a key into one whose inputs have factors of 11 bits.
struct random_key exact_narrow(struct random_key key);

// The first index for each use of one key, so that no number of a sequence is used twice.
#define STREAM_A     (UINT64_C(0) << 60)
#define STREAM_B     (UINT64_C(1) << 60)
#define STREAM_TERMS (UINT64_C(2) << 60)
#define STREAM_BATCH (UINT64_C(5) << 60)

// Which factor of term k has the 12 bits.
enum exact_role { EXACT_NONE, EXACT_A, EXACT_B };

// How many of the K terms of a sum have a 12-bit factor.
int32_t exact_big_terms(int32_t k);

// Chooses the big terms and their roles: role[k] for k < term_count, of enum exact_role.
void exact_roles(struct random_key key, int32_t term_count, uint8_t role[]);

// Makes row i of A [M][K], or row k of B [K][N], as integers.  `role` is from exact_roles.
void exact_row_a(struct random_key key, int32_t i, int32_t k_count, const uint8_t role[],
                 int32_t row[]);
void exact_row_b(struct random_key key, int32_t k, int32_t n_count, enum exact_role role,
                 int32_t row[]);

// The key of launch j of a batch whose first launch has `key`: launch 0 has key itself.
struct random_key exact_batch_key(struct random_key key, uint32_t j);

#endif

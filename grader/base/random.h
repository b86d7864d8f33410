// Random numbers that are a function of a key and an index, so that any of them can be made again.
//
// A run has one secret 128-bit seed.  Each use of it (a case, a timed pair) draws a key of its own
// by SHA-256, so that a kernel that learns the numbers of one case learns nothing of another.
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

#include "base/error.h"

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

#endif

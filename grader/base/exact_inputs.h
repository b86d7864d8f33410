// Exact inputs, in which every element is a function of a key: the judge makes them on the host,
// and the worker on the GPU makes the same (device/gpu/inputs.cu).
//
// For each k, one factor is an odd signed 12-bit integer and the other is +1 or -1.  At most
// floor((2^24 - 1 - K) / 4094) values of k, which the key selects, have such a wide factor; for the
// others both factors are +1 or -1. So the sum over k of |a||b| is below 2^24, every partial sum is
// exact in fp32, and no element is 0.
//
// Where a product may round its factors to 11 bits, as TF32 and FP16 have, the odd integers have 11
// bits too, so that nothing is rounded.  The key says so: its upper bits are EXACT_NARROW.  (One
// random key in 2^32 has these bits by chance, which does no harm: 11-bit inputs are exact as
// well.)
//
// Source  grader/decisions/0004-exact-inputs.md
#ifndef BASE_EXACT_INPUTS_H
#define BASE_EXACT_INPUTS_H

#include <stdint.h>

#include "base/limits.h"
#include "base/random.h"

// The largest factor of exact inputs, and the smallest of the big ones.
#define EXACT_BIG_MAX 4095
#define EXACT_BIG_MIN 2049

#define EXACT_NARROW 0x4e617277u

// Turns a key into one whose inputs have factors of 11 bits.
struct random_key exact_narrow(struct random_key key);

// First index of each use of one key, so that no number of a sequence is used twice.
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

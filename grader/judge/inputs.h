// The inputs of a case, and the poison in C.
#ifndef JUDGE_INPUTS_H
#define JUDGE_INPUTS_H

#include <stdbool.h>

#include "base/random.h"
#include "base/size.h"

enum inputs_kind { INPUTS_EXACT, INPUTS_REAL };
const char *inputs_kind_name(enum inputs_kind kind); // "exact", "real"

// Fills A and B.
//
// EXACT: integers whose every partial sum, in any order, is exact in fp32 (sum over k of |a||b| < 2^24), never 0, and too
//        wide for TF32, FP16 and BF16: for each k one factor is an odd 12-bit integer with a sign and the other +1 or -1, the
//        roles alternating at secret; beyond floor((2^24 - 1 - K) / 4094) such k, at secret places, both are +1 or -1.
// REAL:  uniform in (-1, 1).
//
// Shapes   a [M][K], b [K][N].
// Source   grader/decisions/, "Exact inputs".
void inputs_fill(enum inputs_kind kind, struct random_key key, struct size size, float *a, float *b);

// Fills count elements with the NaN that stands for "never written".
void poison_fill(float *c, size_t count);

// True where the element still holds that NaN, bit for bit.
bool poison_is(float element);

#endif

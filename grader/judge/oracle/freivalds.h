// Freivalds' test: is C = A B, row by row, in the time of three matrix-vector products?
#ifndef JUDGE_ORACLE_FREIVALDS_H
#define JUDGE_ORACLE_FREIVALDS_H

#include <stdint.h>

#include "judge/model/inputs.h"

// Marks the rows of C that are not those of A B, for exact inputs.
//
// With random vectors x the test compares C x and A (B x) in integers modulo 2^64.  A right row is
// never marked.  A wrong row whose errors are below 2^26 escapes one vector with a chance of at
// most 2^-38 (an error is at most 2^25 times an odd number, so its product with x takes 2^39 values
// evenly), all three with 2^-114.  A row with an element that is not finite, not an integer, or at
// least 2^25 in magnitude is marked immediately.
//
// Shapes   ret_wrong_rows [M] of 0 or 1.
// Returns  the number of rows marked in *ret_count.
// Errors   STATUS_NO_MEMORY.
// Source   Freivalds 1979, "Fast probabilistic algorithms".
enum status freivalds_check(struct random_key key, const struct matmul *matmul,
                            uint8_t *ret_wrong_rows, uint64_t *ret_count, struct error *err);

#endif

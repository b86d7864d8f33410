// Freivalds' test for a product of real inputs, which rounds: C x against A (B x) in fp64.
//
// x has random signs, so the mean square of a row's difference is the sum of the squares of its
// errors, however they are related: the differences of some rows show the root mean square error of
// all their elements, which is held to that of test R (oracle.h), with room for the few samples.  A
// single row may differ by eight times as much: an error of one missing term is some hundred times
// as large.  The proven bound of each element is far above that for all but the smallest K.
//
// Source  decisions/0008-timed-launches.md; Hoeffding's inequality: a row whose errors have a norm
//         of e differs by more than t e with a chance of at most 2 exp(-t^2 / 2).
#ifndef JUDGE_SPEED_TIMED_REAL_H
#define JUDGE_SPEED_TIMED_REAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"

#define REAL_VECTORS 4

// Fills `count` quadruples, one number of each vector, with random signs.
void timed_real_vectors(struct random_key secret, int32_t count, double *ret_x);

// The products of a row of a matrix with the vectors.
//
// Shapes   row [columns], x [columns][REAL_VECTORS].
void timed_real_row(const float *row, int32_t columns, const double *x,
                    double ret_products[REAL_VECTORS]);

// What the rows of an output differ by; begins as all 0.
struct timed_real_rows {
    int32_t rows;
    double squares;
    double worst;  // the largest difference; infinite if an element is not finite
    int32_t worst_row;
};

// Adds row `row` of C, whose products with the vectors should be `want`.
void timed_real_add(struct timed_real_rows *rows, int32_t row, const float *c, int32_t columns,
                    const double *x, const double want[REAL_VECTORS]);

// True if the errors of the rows are those of fp32.  rms_max is what test R allows (oracle.h).
bool timed_real_is_right(const struct timed_real_rows *rows, int32_t columns, double rms_max);

#endif

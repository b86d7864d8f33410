// Do the errors of a product of exact inputs come from arithmetic with fewer bits than fp32 has?
#ifndef JUDGE_ORACLE_PRECISION_H
#define JUDGE_ORACLE_PRECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "exercise/exercise.h"
#include "judge/cause/output_seen.h"

// The errors of all wrong elements that were compared.
struct error_sums {
    uint64_t compared;  // elements, right and wrong
    uint64_t finite;    // wrong elements that are finite
    uint64_t infinite;
    uint64_t nan;
    double squares;             // sum of the squares of the finite errors
    double largest;             // the largest of their magnitudes
    double lowest, highest;     // the extremes of the finite errors, with their signs
    bool overflow_is_unlikely;  // some tested infinite sum is too small to overflow
};

// Adds an element of C.
void error_sums_add(struct error_sums *sums, const struct output_seen *seen, uint64_t element,
                    double want);

// True if many elements are wrong, and all by so little that rounding to fewer bits explains it.
// Fewer than 16 wrong elements, or errors that are all the same, say nothing about rounding.
//
// A big factor is an odd number in [2049, 4095].  Rounded to 11 bits (TF32, FP16), it changes by 1;
// rounded to 8 bits (BF16), by at most 7; cut to 8 bits, by at most 15.  The other factor is 1 and
// exact. With G big terms of random sign, errors have a root mean square of at most 16 sqrt(G).
// Sums that are themselves kept in 8 bits change by at most 2^-8 of a partial sum in each step, 12
// K in root mean square; beyond 1024 that cannot be distinguished from a missing term (2049 and
// more). An FP16 sum above 65504 is infinite.
bool precision_is_low(int32_t terms, const struct error_sums *sums);

// A sentence for errors of an exercise that allows factors of this precision.
const char *precision_few_bits_text(enum precision allowed);

// A sentence that names the rounding of A and B that gives exactly these elements, or this element.
const char *precision_text(const struct output_seen *seen, enum precision allowed);

#endif

// Is an element after a launch that of a right kernel?
#ifndef JUDGE_EXPECTED_COMPARE_H
#define JUDGE_EXPECTED_COMPARE_H

#include "judge/expected/case.h"

// How one element compares.
enum element_state {
    ELEMENT_RIGHT,
    ELEMENT_WRONG,
    ELEMENT_UNWRITTEN,   // it still holds the poison of an output
    ELEMENT_NOT_SAMPLED  // expected.c has not computed it
};
enum element_state expected_compare(const struct expected_case *made, int parameter,
                                    const void *values, uint64_t element);

// The value that an element should have, and how far a right kernel may be from it (0: not at all).
double expected_want(const struct expected_case *made, int parameter, uint64_t element,
                     double *ret_bound);

#endif

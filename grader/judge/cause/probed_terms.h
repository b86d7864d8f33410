// Says what the elements of a wrong product are computed from: "C[0][1] is computed as
// A[0][0]*B[0][0] + A[0][1]*B[1][0], but should be A[0][0]*B[0][1] + A[0][1]*B[1][1]".
//
// A kernel whose addresses do not depend on A and B computes a sum of products and of single
// elements.  Launches with a single 1 in one matrix and known numbers in the other show its terms.
// The cause found must then give every element of an ordinary launch; otherwise it is not reported.
#ifndef JUDGE_CAUSE_PROBED_TERMS_H
#define JUDGE_CAUSE_PROBED_TERMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/size.h"

#define TERMS_UNIT 4096  // in the other matrix; separates products from single elements

// The contents of the other matrix.
enum terms_other {
    TERMS_UNITS,     // TERMS_UNIT everywhere
    TERMS_ORDINALS,  // 1, 2, 3 …
    TERMS_SQUARES,   // 1, 4, 9 …
    TERMS_OTHER_COUNT
};

// C [M][N] of each launch.  "This" is A or B, the one with fewer elements; it is 0 but for one 1.
struct terms_probe {
    struct size size;
    bool is_a;                             // this is A
    int count, other_count;                // elements of both
    const float *zero;                     // both are 0
    const float *none[TERMS_OTHER_COUNT];  // this is 0
    const float *one[TERMS_OTHER_COUNT];   // [count] launches: element p of this is 1
    const float *other_one;  // [other_count] launches: this is 0, element q of the other is 1; NULL
                             // if terms_needs_other is false
};

// True if elements of the other matrix are added without a factor: then other_one is needed.
bool terms_needs_other(const struct terms_probe *probe);

// Explains the wrong elements of c, which the kernel computed from a and b at the same size, small
// whole numbers.  Leaves text "" if there are none, if no wrong element has a term, or if the terms
// found do not give every element of c that is a number.  Shapes a [M][K], b [K][N], c [M][N].
void explain_terms(const struct terms_probe *probe, const float *a, const float *b, const float *c,
                   char *text, size_t text_bytes);

#endif

// Says what went wrong in a product of exact inputs: which terms are missing, doubled or taken from elsewhere.
#ifndef JUDGE_EXPLAIN_H
#define JUDGE_EXPLAIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/size.h"

// Explains the wrong elements of C by one hypothesis that fits several of them, tried from simple to odd: whole element
// belongs to another row or column (transposed, shifted), a run of k is missing (the last, partial tile …), a run is counted twice, terms of one k come
// from another row, column or k, the old value of C was added, A or B was read with a wrong row length.  Writes "" where none fits.
//
// Shapes   a [M][K], b [K][N], c [M][N]; want [M][N] is the exact product.
void explain_exact(struct size size, const float *a, const float *b, const float *c, const int64_t *want, char *text,
                   size_t text_bytes);

#endif

// What each wrong element of a small C holds instead, for a picture.
#ifndef JUDGE_ORACLE_WRONG_CELLS_H
#define JUDGE_ORACLE_WRONG_CELLS_H

#include "judge/model/inputs.h"
#include "judge/model/pictures.h"

// Compares C with the product of exact inputs.  A fact about an element is noted only if it is the
// one fact of all those in enum held that its value allows.
//
// Returns  in ret_cells the wrong elements, row by row; none, with size.m = 0, if C is too large.
void wrong_cells_find(const struct matmul *matmul, struct wrong_cells *ret_cells);

#endif

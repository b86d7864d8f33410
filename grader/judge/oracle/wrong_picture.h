// Where C is wrong, square by square, and what each wrong element of a small C holds instead, for
// pictures.
#ifndef JUDGE_ORACLE_WRONG_PICTURE_H
#define JUDGE_ORACLE_WRONG_PICTURE_H

#include "judge/model/inputs.h"
#include "judge/model/judgement.h"

// Compares C with the product of exact inputs.  A fact about an element is noted only if it is the
// one fact of all those in enum held that its value allows.
//
// Returns  in ret_cells the wrong elements, row by row; none, with size.m = 0, if C is too large.
void wrong_cells_find(const struct matmul *matmul, struct wrong_cells *ret_cells);

// Compares C with the product of exact inputs; an element that was never written is wrong too.
//
// Returns  in ret_tiles a picture of the finest squares that fit.
void wrong_tiles_count(const struct matmul *matmul, struct wrong_tiles *ret_tiles);

#endif

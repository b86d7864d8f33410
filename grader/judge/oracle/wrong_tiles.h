// Where C is wrong, square by square, for a picture.
#ifndef JUDGE_ORACLE_WRONG_TILES_H
#define JUDGE_ORACLE_WRONG_TILES_H

#include "judge/model/inputs.h"
#include "judge/model/pictures.h"

// Compares C with the product of exact inputs; an element that was never written is wrong too.
//
// Returns  in ret_tiles a picture of the finest squares that fit.
void wrong_tiles_count(const struct matmul *matmul, struct wrong_tiles *ret_tiles);

#endif

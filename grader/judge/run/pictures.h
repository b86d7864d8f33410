// Data for pictures: the accesses of one block and their order; the wrong places of C and their
// values.
#ifndef JUDGE_RUN_PICTURES_H
#define JUDGE_RUN_PICTURES_H

#include "base/random.h"
#include "judge/compile/program_build.h"
#include "judge/model/inputs.h"
#include "judge/model/judgement.h"

struct index_maps;

// Traces a kernel that was built for the CPU device, in a worker of its own: once to find the part
// of C that a block computes and its progress along K in a phase, then at a size of two such parts
// in each direction and three phases, and at a smaller size whose last parts extend beyond C.  A
// kernel that is not a matmul is traced at as many tiles as two blocks need, and in its last block
// at a smaller size without whole tiles.  Stops at the first launch that the kernel does not
// complete; if it completes none, *ret_maps is unchanged.  Not part of a grade.
//
// Errors   ours: no worker could be started.
// Owns     the caller frees *ret_maps.
enum status index_map_trace(const struct exercise *exercise, struct seed seed,
                            const struct run_program *program, struct index_maps **ret_maps,
                            struct error *err);

// Compares C with the product of exact inputs.  A fact about an element is noted only if its value
// allows no other fact of enum held.
//
// Returns  in ret_cells the wrong elements, row by row; if C is too large, none, with size.m = 0.
void wrong_cells_find(const struct matmul *matmul, struct wrong_cells *ret_cells);

// Compares C with the product of exact inputs; an element that was never written is wrong too.
//
// Returns  in ret_tiles a picture of the finest squares that fit.
void wrong_tiles_count(const struct matmul *matmul, struct wrong_tiles *ret_tiles);

// If C is wrong at several sizes, the largest shows the pattern best.
void wrong_tiles_keep(const struct wrong_tiles *wrong, struct wrong_tiles *best);

#endif

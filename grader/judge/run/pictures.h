// For pictures: what one block accesses, and in which order; where C is wrong, and what it holds
// there.
#ifndef JUDGE_RUN_PICTURES_H
#define JUDGE_RUN_PICTURES_H

#include "base/random.h"
#include "judge/compile/program_build.h"
#include "judge/model/inputs.h"
#include "judge/model/judgement.h"

struct index_maps;

// Traces a kernel that was built for the CPU device, in a worker of its own: once to see which part
// of C a block computes and how far it goes along K in a phase, then at a size of two such parts
// each way and three phases, and at a smaller one whose last parts reach beyond C.  A kernel that
// is not a matmul is traced at as many tiles as two blocks need, and in its last block at a smaller
// size without whole tiles.  Stops at the first launch that the kernel does not get through;
// without any, *ret_maps stays as it is.  Not part of a grade.
//
// Errors   ours: no worker could be started.
// Owns     the caller frees *ret_maps.
enum status index_map_trace(const struct exercise *exercise, struct seed seed,
                            const struct run_program *program, struct index_maps **ret_maps,
                            struct error *err);

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

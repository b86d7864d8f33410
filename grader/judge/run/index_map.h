// What the threads of one block of the submitted kernel access, phase by phase, at a size small
// enough to draw.
#ifndef JUDGE_RUN_INDEX_MAP_H
#define JUDGE_RUN_INDEX_MAP_H

#include "base/random.h"
#include "judge/compile/program_build.h"

struct index_maps;

// Traces a kernel that was built for the CPU device, in a worker of its own: once to see which part
// of C a block computes and how far it goes along K in a phase, then at a size of two such parts
// each way and three phases, and at a smaller one whose last parts reach beyond C.  A kernel that
// is no product is traced at as many tiles as two blocks need, and in its last block at a smaller
// size without whole tiles.  Stops at the first launch that the kernel does not get through;
// without any, *ret_maps stays as it is.  Not part of a grade.
//
// Errors   ours: no worker could be started, no memory.
// Owns     the caller frees *ret_maps.
enum status index_map_trace(const struct exercise *exercise, struct seed seed,
                            const struct run_program *program, struct index_maps **ret_maps,
                            struct error *err);

#endif

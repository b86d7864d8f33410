// What the threads of one block of the submitted kernel access, phase by phase, at a size small
// enough to draw.
#ifndef JUDGE_RUN_INDEX_MAP_H
#define JUDGE_RUN_INDEX_MAP_H

#include "base/random.h"
#include "judge/build/program.h"

struct index_map;

// Traces a kernel that was built for the CPU device, in a worker of its own: once to see which part
// of C a block computes and how far it goes along K in a phase, then at a size of two such parts
// each way and three phases.  If the kernel does not get that far, *ret_map stays as it is.  Not
// part of a grade.
//
// Errors   ours: no worker could be started, no memory.
// Owns     the caller frees *ret_map.
enum status index_map_trace(const struct exercise *exercise, struct seed seed,
                            const struct run_program *program, struct index_map **ret_map,
                            struct error *err);

#endif

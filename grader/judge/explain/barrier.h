// Where a missing `__syncthreads()` belongs, and which races the one call would end.
#ifndef JUDGE_EXPLAIN_BARRIER_H
#define JUDGE_EXPLAIN_BARRIER_H

#include "judge/model/finding.h"

// Finds the place for each race in shared memory that lacks a barrier: after the statement with the
// first access and before that with the second one, in the block or loop that has both, where all
// threads of a block come.  Fills barrier_after and barrier_before; 0 where that is not certain.
// Races that one call at one place would end become one finding: its count is their sum, and `also`
// names the others.
//
// Notes for a barrier that some threads do not reach what is around it and may differ between them.
//
// text     of the kernel file; the findings have lines, columns and arrays.
// Errors   STATUS_NO_MEMORY.
enum status barriers_find(const char *text, size_t bytes, struct finding_list *findings,
                          struct error *err);

#endif

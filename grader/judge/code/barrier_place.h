// Where a missing `__syncthreads()` belongs, and which races the one call would end.
#ifndef JUDGE_CODE_BARRIER_PLACE_H
#define JUDGE_CODE_BARRIER_PLACE_H

#include "judge/model/judged_finding.h"

// Finds the place for each race in shared memory that lacks a barrier: after the statement with the
// first access and before that with the second one, in the block or loop that has both, where all
// threads of a block come.  Fills barrier_after and barrier_before; 0 where that is not certain.
// Races that one call at one place would end become one finding: its count is their sum, and `also`
// names the others.  If no barrier can be placed there, barrier_use says so.
//
// Notes for a barrier that some threads do not reach what is around it and may differ between them.
//
// text     of the kernel file; the findings have lines, columns and arrays.
void barriers_find(const char *text, size_t bytes, struct finding_list *findings);

// The same file with a barrier at the place of each of these races that has one: lines stay,
// columns do not.  in_round: at the other place of those that have two.
// Owns     the caller frees it.
char *barriers_write(const char *text, size_t bytes, const struct finding_list *findings,
                     bool in_round);

#endif

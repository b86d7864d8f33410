// Finds the place of a missing `__syncthreads()`, and the races that the call would prevent.
#ifndef JUDGE_CODE_BARRIER_PLACE_H
#define JUDGE_CODE_BARRIER_PLACE_H

#include "judge/model/judged_finding.h"

// Finds the place for each race in shared memory that lacks a barrier: after the statement with the
// first access and before the one with the second access, in the block or loop that contains both,
// if all threads of a block get there.  Fills barrier_after and barrier_before; 0 if that is not
// certain.  Races that one call would prevent become one finding: its count is their sum, and
// `also` names the others.  If no barrier can be placed there, barrier_use says so.
//
// For a barrier that some threads do not reach, notes the conditions around it that may differ
// between threads.
//
// text     of the kernel file; the findings have lines, columns and arrays.
void barriers_find(const char *text, size_t bytes, struct finding_list *findings);

// The same file with a barrier at the place of each of these races that has a place: lines stay,
// columns do not. in_round: uses the second place of races that have two.
// Owns     the caller frees it.
char *barriers_write(const char *text, size_t bytes, const struct finding_list *findings,
                     bool in_round);

#endif

// The sizes at which an exercise is timed, which are too large to run whole: a few blocks of a
// launch run, and the elements that these store are judged.
#ifndef JUDGE_RUN_PART_CASES_H
#define JUDGE_RUN_PART_CASES_H

#include "judge/run/case_sizes.h"
#include "judge/run/launch_outcome.h"
#include "judge/run/run_worker.h"

#define PART_BLOCKS_MAX 8
#define PART_ALL        UINT32_MAX  // part_blocks of a case of all blocks, without checkers

// True for a size that is so large that, if it is requested, a part of it runs if that is possible.
bool part_is_enough(const struct signature *signature, struct size size);

// One such case; outcome->left_out if the kernel's blocks may need others, or if nothing is known
// about their outputs.  A part does not show an element that no block stores: if its blocks have
// stored too few, and all of them are affordable, all of them run, at less K for a product.  If
// that shows an element that was never written, *planned is that case.
enum status part_case_run(struct run_worker *worker, double rate, struct planned_case *planned,
                          struct run_outcome *ret_outcome, struct error *err);

// A part of a launch at a requested size, with more blocks and terms than a case has.
//
// steps       that a case of part_small_size took, which tells what blocks take; 0: not known
// *ret_planned is the case; outcome->left_out as above, or if no block is cheap enough.
struct size part_small_size(struct size size);
enum status part_requested_run(const struct judge_options *options, struct run_worker *worker,
                               struct size size, uint64_t steps, struct planned_case *ret_planned,
                               struct run_outcome *ret_outcome, struct error *err);

// The timed size of a product that has a part in a grade, besides the one with most work.
int part_drawn(const struct exercise *exercise, struct seed seed);

// Runs a kernel that was right in all other cases at the timed size with most work, and in a grade
// at the others, of a product at a drawn one.  A launch that is not valid there is a mistake of any
// kernel.  Else, only a kernel whose blocks need no other blocks has such cases: one launch, no
// workspace, no fence, no cluster, no atomic operation on outputs.  Inputs repeat from some element
// on.  Those of products are odd numbers, so that sums are exact; expected.c computes some elements
// of other outputs, if it has EACH.
//
// *ret_planned and *ret_outcome are those of the first case that is wrong, or of the last;
// left_out: there is none.  *ret_deepest: K of the first, 0 if there is none.
//
// rate  see struct large_cases
// Errors: as for run_case.
enum status part_cases_run(const struct judge_options *options, struct run_worker *worker,
                           double rate, struct planned_case *ret_planned,
                           struct run_outcome *ret_outcome, int32_t *ret_deepest,
                           struct error *err);

#endif

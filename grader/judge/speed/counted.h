// Speed without a GPU: the work that a kernel does, counted, against the reference's.  Pure and
// deterministic.
#ifndef JUDGE_SPEED_COUNTED_H
#define JUDGE_SPEED_COUNTED_H

#include <stdbool.h>

#include "base/random.h"
#include "base/size.h"
#include "exercise/exercise.h"
#include "judge/model/speed.h"

// True if the counts hold at least what every product must do: each element of A and B loaded once
// and each of C stored (or added to) once; and half of the minimum that blocks must load if they
// share the work evenly and exchange no data, 2 M N K / sqrt(elements of C per block).  Less means
// that the counter did not see all of the kernel's work, or that blocks got data in ways that no
// GPU has, so nothing can be said about the kernel's speed.
//
// Source  Loomis and Whitney's inequality: m n k products need m k and k n elements, and no
//         k-fold sum more than m n; Irony, Toledo and Tiskin, "Communication lower bounds for
//         distributed-memory matrix multiplication", 2004.
bool counted_is_complete(const struct signature *signature, struct size size,
                         const struct counts *counts);

// The name of a kind of work for people.
const char *counted_metric_text(enum counted_metric metric);

// "global_sectors", "shared_wavefronts", "global_bytes", "busiest_passes": as results name a kind
// of work.
const char *counted_metric_name(enum counted_metric metric);

// The passes through the L1 cache and shared memory on the SM that finishes last, if this many
// multiprocessors share all blocks as evenly as possible; at least the passes of the busiest block.
// So empty blocks gain nothing.  0 if multiprocessors is 0.
uint64_t counted_busiest(const struct counts *counts, int multiprocessors);

// The source line that does most of a kind of work; 0 if no line is known.
uint32_t counted_line(const struct counts *counts, enum counted_metric metric);

// The work of one kind that a launch did.  Bytes are not divided by the FLOP, which both kernels
// share.
uint64_t counted_work(const struct counts *counts, enum counted_metric metric);

// Reference work / student's work, the worst over the kinds of work that the reference does at all;
// a kind that the student avoids counts as no limit.  *ret_metric: which kind it was.  1 if no kind
// can be compared.
double counted_ratio(const struct counts *student, const struct counts *reference,
                     enum counted_metric *ret_metric);

#endif

// Points, in whole milli-points, for a right result and for speed, from ratios of times or of
// counted work.  Pure functions, so that a score can be computed again from a result file, bit for
// bit.
#ifndef JUDGE_MODEL_POINTS_H
#define JUDGE_MODEL_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "base/size.h"
#include "exercise/exercise.h"
#include "judge/model/judge_options.h"
#include "judge/model/judgement.h"
#include "judge/model/verdict.h"

// A margin in the student's favour: this share of `full` is enough for all points.
#define SCORE_GRACE 0.98

// Points for a right kernel: all but the speed points with a verdict of pass, else 0.
int64_t score_correctness(const struct exercise *exercise, enum verdict verdict);

// The part of total for the weight of list[index].  The remainder goes to the first entries, one
// milli-point each, so that the parts add up to total.
int64_t score_part(int64_t total, const struct exercise_speed *list, int count, int index);

// The interval [low, high] of the ratio (reference / student) against SCORE_GRACE * full: FAST if
// it is at or above, SLOW if it is below, MARGINAL if it contains it.  NaN is never SLOW: it
// asserts.
enum speed_verdict score_speed_verdict(double low, double high, double full);

// The same for measured times, with `unsteady` from guards_are_unsteady: UNSTEADY replaces
// MARGINAL, because more pairs would not help.
enum speed_verdict score_time_verdict(double low, double high, double full, bool unsteady);

// Points of one size: all of them for FAST, and for a median at or above SCORE_GRACE * full; else
// linear in the median ratio between `zero` (none) and `full` (all), rounded to the nearest
// milli-point.
int64_t score_speed(int64_t points_max, enum speed_verdict verdict, double ratio, double full,
                    double zero);

// The share of the points that a ratio gives, from 0 to 1.
double score_share(const struct exercise_speed *asked, double ratio);

// Points of a judged exercise, and its open points, which are part of the maximum: a kernel cannot
// gain by keeping a part of itself from being judged.
void score_exercise(const struct judge_options *options, struct exercise_result *result);

// True if the counts contain at least the work of every product: each element of A and B loaded
// once and each of C stored (or added to) once; and half of the minimum that blocks must load if
// they share the work evenly and exchange no data, 2 M N K / sqrt(elements of C per block).  Less
// means that the counter did not see all of the kernel's work, or that blocks got data in ways that
// no GPU has, so nothing can be said about the kernel's speed.
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

// Reference work / student's work, the worst ratio over the kinds of work that the reference does;
// a kind that the student avoids sets no limit. *ret_metric: the kind with the worst ratio. 1 if no
// kind can be compared.
double counted_ratio(const struct counts *student, const struct counts *reference,
                     enum counted_metric *ret_metric);

#endif

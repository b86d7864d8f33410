// Points, in whole milli-points, from verdicts and ratios.  Pure functions, so that a score can be
// computed again from a result file, bit for bit.
#ifndef JUDGE_SPEED_SCORE_H
#define JUDGE_SPEED_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "exercise/exercise.h"
#include "judge/model/judgement.h"
#include "judge/model/options.h"
#include "judge/model/verdict.h"

// A margin in the student's favour: this share of `full` is enough for all points.
#define SCORE_GRACE 0.98

// Points for a right kernel: all but the speed points with a verdict of pass, else 0.
int64_t score_correctness(const struct exercise *exercise, enum verdict verdict);

// The part of total that list[index] has by its weight; what does not divide goes to the first
// ones, one milli-point each, so that the parts add up to total.
int64_t score_part(int64_t total, const struct exercise_speed *list, int count, int index);

// The interval [low, high] of the ratio (reference / student) against SCORE_GRACE * full: FAST if
// it is at or above, SLOW if it is below, MARGINAL if it contains it.  NaN is never SLOW: it
// asserts.
enum speed_verdict score_speed_verdict(double low, double high, double full);

// The same of measured times, `unsteady` as guards_are_unsteady says: UNSTEADY takes the place of
// MARGINAL, because more pairs would not help.
enum speed_verdict score_time_verdict(double low, double high, double full, bool unsteady);

// Points of one size: all of them for FAST, and for a median at or above SCORE_GRACE * full; else
// linear in the median ratio between `zero` (none) and `full` (all), rounded to the nearest
// milli-point.
int64_t score_speed(int64_t points_max, enum speed_verdict verdict, double ratio, double full,
                    double zero);

// The share of the points that a ratio brings, from 0 to 1.
double score_share(const struct exercise_speed *asked, double ratio);

// Points of a judged exercise, and those that stay open, which are in the maximum: a kernel cannot
// win by keeping a part of itself from being judged.
void score_exercise(const struct judge_options *options, struct exercise_result *result);

#endif

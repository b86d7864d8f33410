// Statistics of paired timings: the median of the pair ratios, its interval, and what it decides.
// Pure functions over arrays; nothing here knows of kernels.
#ifndef MEASURE_STATS_H
#define MEASURE_STATS_H

#include <stdbool.h>

#define STATS_LOOKS       4   // how often a decision is tried
#define STATS_SAMPLES_MAX 81  // at the last look
#define STATS_FEW         3   // enough if all are far from what is needed

// Samples at each look: 11, 21, 41, 81.
int stats_look(int look);

// Which order statistics bound the median of n samples at 99.9 %: the interval is the k-th smallest
// to the k-th largest.  k = 1, 3, 10, 26 for n = 11, 21, 41, 81; 0 for another n.
// Of STATS_FEW samples it is all of them.
//
// Source  the number of samples below the median is binomial (n, 1/2) whatever their distribution,
// so
//         the interval misses it with probability 2 P(X < k); David and Nagaraja, Order Statistics,
//         3rd edition, section 7.1.  k is the largest with a miss of at most 0.1 %.
int stats_order(int n);

// True if the samples of one group are above those of another: a pair of them is the other way
// round in at most one case of twenty.  Of 6 and 5 samples of one distribution that happens in 1 of
// 100 runs, of more samples far less.
//
// Source  Mann and Whitney's U statistic, as a share of all pairs.
bool stats_above(const double *upper, int upper_count, const double *lower, int lower_count);

// The median of n samples, 1 <= n <= STATS_SAMPLES_MAX: the middle one, or the mean of the middle
// two. Samples are finite.
double stats_median(const double *samples, int n);

// The interval of the median at n = 11, 21, 41 or 81, and the range of STATS_FEW.
void stats_interval(const double *samples, int n, double *ret_low, double *ret_high);

// Distance of the quartiles as a share of the median: how noisy the samples are.  Quartiles are the
// medians of the lower and upper half, the middle sample left out of both (Moore and McCabe).
double stats_spread(const double *samples, int n);

enum stats_decision {
    STATS_UNDECIDED,  // the interval holds what is needed: take more samples
    STATS_FAST,       // its lower end is at or above it
    STATS_SLOW,       // its upper end is below it
    STATS_MARGINAL,   // it still holds it at the last look
};

// Decides n ratios, at a look, against the ratio that is needed.
//
// Source  Four looks at 99.9 % each decide wrongly in at most 0.4 % of runs whose true ratio is the
// needed
//         one on one side (union bound); farther from it, far less.
enum stats_decision stats_decide(const double *ratios, int n, double needed);

#endif

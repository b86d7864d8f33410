// Statistics of paired timings: the median of the pair ratios, its interval, and the decision.
// Pure functions over arrays, independent of kernels.
//
// Guards against bad measurements.  Pure functions over samples: a guard that trips means that
// something other than the kernel was measured, never that the kernel is slow.
#ifndef MEASURE_STATS_H
#define MEASURE_STATS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/size.h"
#include "device/channel/protocol.h"

#define STATS_LOOKS       4   // how often a decision is tried
#define STATS_SAMPLES_MAX 81  // at the last look
#define STATS_FEW         3   // enough if all are far from the needed ratio

// Samples at each look: 11, 21, 41, 81.
int stats_look(int look);

// The order statistics that bound the median of n samples at 99.9 %: the interval is the k-th
// smallest to the k-th largest.  k = 1, 3, 10, 26 for n = 11, 21, 41, 81; 0 for another n.  For
// STATS_FEW samples it is their whole range.
//
// Source  the number of samples below the median is binomial (n, 1/2) whatever their distribution,
// so
//         the interval misses it with probability 2 P(X < k); David and Nagaraja, Order Statistics,
//         3rd edition, section 7.1.  k is the largest with a miss of at most 0.1 %.
int stats_order(int n);

// True if the samples of one group are above those of another: a pair of them is the other way
// round in at most one case of twenty.  For 6 and 5 samples of one distribution that happens in 1
// of 100 runs; for more samples, far less often.
//
// Source  Mann and Whitney's U statistic, as a share of all pairs.
bool stats_above(const double *upper, int upper_count, const double *lower, int lower_count);

// The median of n samples, 1 <= n <= STATS_SAMPLES_MAX: the middle one, or the mean of the middle
// two. Samples are finite.
double stats_median(const double *samples, int n);

// The interval of the median at n = 11, 21, 41 or 81, and the range of STATS_FEW.
void stats_interval(const double *samples, int n, double *ret_low, double *ret_high);

// Distance of the quartiles as a share of the median, which measures the noise of the samples.
// Quartiles are the medians of the lower and upper half, the middle sample left out of both (Moore
// and McCabe).
double stats_spread(const double *samples, int n);

enum stats_decision {
    STATS_UNDECIDED,  // the interval contains the needed ratio: take more samples
    STATS_FAST,       // its lower end is at or above the needed ratio
    STATS_SLOW,       // its upper end is below the needed ratio
    STATS_MARGINAL,   // it still contains the needed ratio at the last look
};

// Decides n ratios, at a look, against the ratio that is needed.
//
// Source  Four looks at 99.9 % each decide wrongly in at most 0.4 % of runs whose true ratio is the
// needed
//         one on one side (union bound); farther from it, far less.
enum stats_decision stats_decide(const double *ratios, int n, double needed);

#define DOUBT_MAX 400  // bytes of a reason, with the final NUL

// Limits, each with its reason in stats.c.
#define GUARD_SPREAD_MAX      0.10
#define GUARD_SPREAD_QUIET    0.025
#define GUARD_INPUTS_MAX      0.03
#define GUARD_DRIFT_MAX       0.05
#define GUARD_CLOCK_SHARE     0.05
#define GUARD_CLOCK_MS        0.5
#define GUARD_EVENT_ERROR_MS  0.001
#define GUARD_BESIDE_SHARE    0.5
#define GUARD_BESIDE_MS       3.0
#define GUARD_THROTTLED_SHARE 0.25

// One timed launch of one side (or a batch of them between two events).
struct pairs_sample {
    double event_ms;   // of one launch, by the device; for a batch, its share
    double wall_ms;    // from the request for all launches to its answer, by the judge's clock
    double beside_ms;  // making inputs and collecting outputs, by the judge's clock
    int launches;      // between the two events
    size_t printed;    // bytes that the kernel printed
    struct gpu_state state;   // of the GPU right after the launch
    uint32_t cublas_version;  // the version of cuBLAS; 0: a kernel computed the product
    bool right;               // false: the launch failed; the caller knows the reason
    bool real;                // the inputs were real numbers, not integers (pairs_is_real)
};

// A finished measurement.
struct guarded {
    const struct pairs_sample *student, *reference;  // [count], by pair
    int count;
    double least_ms;  // no launch can be faster (guard_least_ms); 0 = not known
    const struct pairs_sample *calibration;  // of the reference, before any pair
    int calibration_count;
};

// The least time, in ms, that a GPU needs for the product of one size: all its FMA units, or its
// tensor cores, busy at its highest clock, and 2 % in favour of a GPU that clocks higher than it
// reports.
//
// Source  128 fp32 FMA per clock and SM is the most of any GPU up to compute capability
//         12 (CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions").
//         4096 products of FP16 factors are the most, too: a B200's 2.25 PFLOPS, dense, are these
//         of 148 SMs at 1.85 GHz; an H200 does half as many (990 TFLOPS).
double guard_least_ms(struct size size, bool tensor_cores, int multiprocessors, int clock_khz);

// True if the measurement can be believed; else doubt says why not.  Guards, in this order:
//   roofline     a launch was faster than the GPU can be
//   clock        the events claim more time than passed, or the student's launches took more time
//                beside their events than the reference's
//   beside       making inputs and collecting outputs took the student's worker longer
//   calibration  the reference ran at another speed than before it was paired
//   spread       the reference's times on inputs of one kind are noisy; or the ratios are, and the
//                reference's times are not so quiet that only the student's kernel can be why
//   throttling   the GPU was slowed down by heat or a lack of power in many pairs
bool guards_believe(const struct guarded *guarded, char doubt[DOUBT_MAX]);

// True if ratios are noisy although the reference's times are quiet: then the time of the student's
// kernel differs from launch to launch, which is a result of its own.
bool guards_are_unsteady(const double *ratios, const double *reference_ms, int count);

#endif

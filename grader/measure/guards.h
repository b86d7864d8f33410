// When not to believe a measurement.  Pure functions over samples: a guard that trips says that
// something else than the kernel was measured, never that the kernel is slow.
#ifndef MEASURE_GUARDS_H
#define MEASURE_GUARDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/size.h"
#include "device/channel/timed.h"

#define DOUBT_MAX 400  // bytes of a reason, with the final NUL

// Limits, each with its reason in guards.c.
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
    double event_ms;   // of one launch, as the device says: of a batch, its share
    double wall_ms;    // from the request for all launches to its answer, by the judge's clock
    double beside_ms;  // making inputs and collecting outputs, by the judge's clock
    int launches;      // between the two events
    size_t printed;    // bytes that the kernel printed
    struct gpu_state state;   // of the GPU right after
    uint32_t cublas_version;  // of what computed the product; 0: a kernel did
    bool right;               // false: the launch failed, and the caller knows how
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
// tensor cores, busy at its highest clock, and 2 % in favour of a card that clocks higher than it
// says.
//
// Source  128 fp32 FMA a clock and SM is the most of any GPU up to compute capability
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

// True if ratios are noisy although the reference's times are quiet: then the student's kernel
// takes a different time in each launch, and that is its own result.
bool guards_are_unsteady(const double *ratios, const double *reference_ms, int count);

#endif

// Student against reference, timed in interleaved pairs, so that drift of the machine meets both
// alike.
#ifndef MEASURE_PAIRS_H
#define MEASURE_PAIRS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/size.h"
#include "measure/stats.h"

#define PAIRS_ATTEMPTS 3  // runs before a suspicious measurement is given up

enum pairs_side { PAIRS_STUDENT, PAIRS_REFERENCE };

// One timed launch.
struct pairs_sample {
    double event_ms;  // as the device says
    double wall_ms;   // from request to answer, by the caller's own clock; 0 = not known
    bool right;       // the output was verified and is right
};

// What the measurement asks of its caller.
struct pairs_io {
    void *context;
    double least_ms;  // no launch can be faster (pairs_least_ms); 0 = not known

    // Launches once, with fresh exact inputs, poisoned C and cold cache, and verifies the output
    // after the clock has stopped.  pair counts from 0 over all attempts, so that it can name the
    // inputs; both launches of a pair get the same number, and warm-up launches count as pairs. An
    // error ends the measurement; a wrong output of the student is right = false, not an error.
    enum status (*launch)(void *context, enum pairs_side side, int pair,
                          struct pairs_sample *ret_sample, struct error *err);
};

struct pairs_result {
    bool right;  // false: an output of the student was wrong; only wrong_pair holds
    int wrong_pair;
    enum stats_decision decision;     // FAST, SLOW or MARGINAL
    int pairs;                        // 11, 21, 41 or 81
    int attempts;                     // 1 unless a run was suspicious
    double ratio, low, high;          // reference time / student time: median and its interval
    double student_ms, reference_ms;  // medians
    double student[STATS_SAMPLES_MAX], reference[STATS_SAMPLES_MAX];  // event_ms of each pair
};

// The least time, in ms, that a GPU needs for the product of one size in fp32: all its FMA units
// busy at its highest clock, and 2 % in favour of a card that clocks higher than it says.
//
// Source  128 fp32 FMA a clock and multiprocessor is the most of any GPU up to compute capability
// 12
//         (CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions").
double pairs_least_ms(struct size size, int multiprocessors, int clock_khz);

// Measures until the ratio is decided against `needed` (score.h: SCORE_GRACE * full).
//
// Order   warm-up, then (student, reference), (reference, student), …; a decision at 11, 21, 41, 81
// pairs. Errors  those of io->launch; STATUS_SYSTEM: a time that is no time, or a wrong output of
// the reference;
//         STATUS_UNAVAILABLE: every attempt was suspicious, so nothing may be concluded: measure
//         again.
enum status pairs_measure(const struct pairs_io *io, double needed, struct pairs_result *ret_result,
                          struct error *err);

#endif

// Student against reference, timed in interleaved pairs, so that drift of the machine meets both
// alike.
#ifndef MEASURE_PAIRS_H
#define MEASURE_PAIRS_H

#include <stdbool.h>

#include "base/error.h"
#include "measure/guards.h"
#include "measure/stats.h"

#define PAIRS_ATTEMPTS 3  // runs before a measurement that is not believed is given up

enum pairs_side { PAIRS_STUDENT, PAIRS_REFERENCE, PAIRS_SIDES };

// The calls that the measurement makes.
struct pairs_io {
    void *context;
    double least_ms;  // no launch can be faster (guard_least_ms); 0 = not known
    int warm_up_ms;   // that the reference runs before any launch is counted

    // Launches one side, with fresh exact inputs, poisoned C and cold cache.  pair counts from 0
    // over all attempts, so that it can name the inputs; both launches of a pair get the same
    // number, and so do those that warm up.  The output is verified later (settle); right = false
    // says that it is known at once to be wrong.  An error ends the measurement.
    enum status (*launch)(void *context, enum pairs_side side, int pair,
                          struct pairs_sample *ret_sample, struct error *err);

    // Waits until every output so far is verified.  *ret_right: whether the student's are right; a
    // wrong one of the reference is an error.
    enum status (*settle)(void *context, bool *ret_right, struct error *err);
};

struct pairs_result {
    bool right;             // false: an output of the student was wrong; nothing else holds
    bool believed;          // false: every attempt was doubted, so nothing may be concluded
    char doubt[DOUBT_MAX];  // of the last attempt that was not believed; "" if there was none
    enum stats_decision decision;     // FAST, SLOW or MARGINAL
    int pairs;                        // 11, 21, 41 or 81
    int attempts;                     // 1 unless a run was doubted
    double ratio, low, high;          // reference time / student time: median and its interval
    double student_ms, reference_ms;  // medians
    double calibrated_ms;             // median of the reference alone, before
    struct pairs_sample student[STATS_SAMPLES_MAX], reference[STATS_SAMPLES_MAX];
};

// Measures until the ratio is decided against `needed` (score.h: SCORE_GRACE * full).
//
// Order    the reference alone; two pairs to warm up; then (student, reference), (reference,
// student), …; a
//          decision at 11, 21, 41, 81 pairs.
// Errors   those of io; STATUS_SYSTEM: a time that is not finite and positive.
enum status pairs_measure(const struct pairs_io *io, double needed, struct pairs_result *ret_result,
                          struct error *err);

#endif

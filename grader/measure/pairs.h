// Student against reference, timed in interleaved pairs, so that drift of the machine affects both
// equally.
#ifndef MEASURE_PAIRS_H
#define MEASURE_PAIRS_H

#include <stdbool.h>

#include "base/error.h"
#include "measure/stats.h"

#define PAIRS_ATTEMPTS 3  // attempts before a doubtful measurement is given up
#define PAIRS_ALONE    2  // more attempts, without other programs on the GPU

enum pairs_side { PAIRS_STUDENT, PAIRS_REFERENCE, PAIRS_SIDES };

// Whether the inputs of a pair are real numbers. Two pairs with integers, whose products are exact,
// alternate with two pairs of real numbers, as in the cases that may round.
static inline bool pairs_is_real(int pair) {
    return pair % 4 >= 2;
}

// The calls that the measurement makes.
struct pairs_io {
    void *context;
    double least_ms;  // no launch can be faster (guard_least_ms); 0 = not known
    int warm_up_ms;   // time that the reference runs before any launch counts
    double hopeless;  // a ratio below which few pairs are enough; 0: none
    bool one_kind;    // every launch has real inputs, whatever pairs_is_real says

    // Launches one side, with fresh inputs, poisoned C and cold cache.  pair counts from 0 over all
    // attempts, so that it can identify the inputs, and determines their kind (pairs_is_real); both
    // launches of a pair get the same number, and so do warm-up launches.  The output is verified
    // later (settle); right = false means that it is already known to be wrong.  An error ends the
    // measurement.
    enum status (*launch)(void *context, enum pairs_side side, int pair,
                          struct pairs_sample *ret_sample, struct error *err);

    // Waits until every output so far is verified.  *ret_right: whether the student's outputs are
    // right; a wrong output of the reference is an error.
    enum status (*settle)(void *context, bool *ret_right, struct error *err);

    // Keeps the GPU from other graders until the caller ends the measurement.  *ret_alone: false if
    // there are none, so that more attempts would not help.  NULL: the same.
    enum status (*isolate)(void *context, bool *ret_alone, struct error *err);
};

// Whose pairs count.
enum pairs_kinds { PAIRS_OF_BOTH, PAIRS_EXACT, PAIRS_REAL };

struct pairs_result {
    bool right;                    // false: a student's output was wrong; nothing else is valid
    bool believed;                 // false: every attempt was doubted, so nothing may be concluded
    char doubt[DOUBT_MAX];         // of the last doubtful attempt; "" if there was none
    enum stats_decision decision;  // FAST, SLOW or MARGINAL
    int pairs;                     // 11, 21, 41 or 81; STATS_FEW for a hopeless kernel
    enum pairs_kinds kinds;        // not both: the kernel is slower on these, whose pairs count
    double other_ratio;            // the median on the other inputs, which then do not count
    bool unsteady;                 // the student's times are noisy, the reference's are not
    int attempts;                  // 1 unless a run was doubted
    double ratio, low, high;       // reference time / student time: median and its interval
    double student_ms, reference_ms;  // medians
    double calibrated_ms;             // median of the reference alone, before
    struct pairs_sample student[STATS_SAMPLES_MAX], reference[STATS_SAMPLES_MAX];
};

// Measures until the ratio is decided against `needed` (points.h: SCORE_GRACE * full).
//
// Order    the reference alone; two pairs to warm up; then (student, reference),
//          (reference, student), …; a decision at 11, 21, 41, 81 pairs.  Exact and real inputs
//          take turns.  If the kernel is faster on one kind than on the other, by more than
//          GUARD_INPUTS_MAX and more than by chance, only pairs of the slower kind count, and the
//          decision needs as many of those.  So a shortcut that works for only one kind of numbers
//          gains nothing.
// Errors   those of io; STATUS_SYSTEM: a time that is not finite and positive.
enum status pairs_measure(const struct pairs_io *io, double needed, struct pairs_result *ret_result,
                          struct error *err);

#endif

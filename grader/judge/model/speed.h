// How fast a kernel is, as it was measured or counted.
#ifndef JUDGE_MODEL_SPEED_H
#define JUDGE_MODEL_SPEED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/size.h"
#include "device/channel/protocol.h"
#include "emu/wire/counts.h"
#include "judge/model/verdict.h"
#include "measure/estimate.h"
#include "measure/stats.h"

// A kind of work.  Each is lower for a better kernel.
enum counted_metric {
    COUNTED_SECTORS,     // 32-byte sectors of global memory
    COUNTED_WAVEFRONTS,  // wavefronts of shared memory
    COUNTED_BYTES,       // bytes of global memory asked for
    COUNTED_BUSIEST,     // wavefronts of the SM that ends last, if an exercise asks for it
    COUNTED_METRIC_COUNT
};

#define SPEED_NOTE_MAX     512
#define CUBLAS_SAMPLES     7  // launches of cuBLAS alone at a size
#define CUBLAS_VERSION_MAX 16
#define CUBLAS_NOTE_MAX    512

// How long cuBLAS takes for the product of one size.
struct cublas_times {
    int count;  // 0: not known
    double ms[CUBLAS_SAMPLES];
};

// A kernel timed in pairs with cuBLAS.
struct cublas_pairs {
    int pairs;  // 0: there are none
    enum speed_verdict verdict;
    double ratio, low, high;  // cuBLAS' time / student's
    double student_ms[STATS_SAMPLES_MAX], cublas_ms[STATS_SAMPLES_MAX];
};

// One timed or counted size.
struct speed_result {
    struct size size;
    enum speed_verdict verdict;
    bool counted;       // by work, not by time
    double full, zero;  // the thresholds that held
    double ratio;       // reference / student: the median of pairs, or of counted work
    double low, high;   // its interval; counted: low = high = ratio
    int pairs;
    double gflops, reference_gflops;    // 0 when counted
    int64_t points, points_max;         // milli-points
    double *student_ms, *reference_ms;  // raw samples [pairs]; NULL when counted
    struct gpu_state *states;           // the GPU after each launch of the reference [pairs]
    int launches;                       // launches of one sample, whose time is their mean
    int attempts;                       // 1 unless a measurement was not believed …
    char doubt[DOUBT_MAX];              // … for this reason; "" if none
    char note[SPEED_NOTE_MAX];          // what is special about the times; "" if nothing is
    double calibrated_ms;               // the reference alone, before the pairs
    double cublas_gflops;               // 0: not known; not part of a grade …
    struct cublas_times cublas;         // … from these, or from the pairs
    struct cublas_pairs cublas_pairs;
    struct counts counts, reference_counts;
    enum counted_metric metric;  // counted: the kind of work that decided …
    uint32_t metric_line;        // … and the source line that does most of it; 0 if not known
};

// How fast a counted kernel may be on another card.  Not part of a grade.
struct kernel_estimate {
    bool made;
    bool has_reference;
    const struct card *card;
    struct size size;
    struct estimate student, reference;
    int registers;  // per thread of the student's kernel; 0: not known
};

// The speed of one exercise.
struct speed_outcome {
    bool complete;  // false: correct, but its speed could not be measured here
    bool compared;  // with the reference, or with the numbers that a handout has of it
    bool withheld;  // not judged, but its points can still be won; the detail says why
    int count;
    struct speed_result *list;                // owned; room for every size of the exercise
    char cublas_version[CUBLAS_VERSION_MAX];  // "13.0.2"; "" if nothing is known of it
    char cublas_note[CUBLAS_NOTE_MAX];        // why nothing is known; "" if it was not looked for
    struct kernel_estimate estimate;
    bool counted_alone;      // its work was counted, with no reference to compare it with
    struct size alone_size;  // at this size; counts that are in doubt are there too; m = 0: none
    struct counts alone;
};

#endif

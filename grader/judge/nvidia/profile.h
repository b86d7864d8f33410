// Counters of one kernel from two sides: counted on the CPU device, and read by ncu on a GPU.
#ifndef JUDGE_NVIDIA_PROFILE_H
#define JUDGE_NVIDIA_PROFILE_H

#include "judge/model/options.h"

#define PROFILE_ROWS_MAX 16

struct profile_row {
    const char *name;    // the field of struct counts
    const char *metric;  // the metric of Nsight Compute …
    const char *plus;    // … and a metric that is added to it; "" if none is
    uint64_t counted;
    double measured;  // NAN if ncu does not have it
    const char *why;  // why the two may differ; "" if they must be equal
};

struct profile {
    int row_count;
    struct profile_row row[PROFILE_ROWS_MAX];
};

// Builds the exercise's kernel in options->submission for both devices and counts one launch of
// that size.
//
// Errors  STATUS_BAD_USAGE: the kernel does not build, or is wrong at that size;
//         STATUS_UNAVAILABLE: no ncu, or it may not read counters here, with the remedy.
enum status profile_make(const struct judge_options *options, const struct exercise *exercise,
                         struct size size, struct profile *ret_profile, struct error *err);

#endif

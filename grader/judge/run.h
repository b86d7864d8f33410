// One exercise of a submission: read, built, run on every asked device, explained.
#ifndef JUDGE_RUN_H
#define JUDGE_RUN_H

#include "judge/judge_source.h"
#include "judge/run_build.h"

// The submitted kernel as built for each device; kept for measuring its speed.
struct run_kernel {
    struct judge_source source;
    char *prepared;  // the copy that compilers get
    size_t prepared_bytes;
    bool built[DEVICE_KIND_COUNT];
    struct run_program program[DEVICE_KIND_COUNT];
};
void run_kernel_done(struct run_kernel *kernel);

// Judges one exercise for correctness: fills verdict, headline, cases and findings of *result,
// whose exercise and file are set, and leaves the built kernel in *kernel (all zero at the start),
// which the caller frees in any case. Errors   ours: then *result is of no use.
enum status run_exercise(const struct judge_options *options, struct exercise_result *result,
                         struct run_kernel *kernel, struct error *err);

// Adds a case that was run elsewhere (a measured size) and whose verdict is not pass: the
// exercise's verdict changes.
void run_case_failed(struct exercise_result *result, const struct case_result *failed,
                     const char *text);

#endif

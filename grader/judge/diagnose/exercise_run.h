// Judges one exercise of a submission: it is read, built, run on every requested device, and
// explained.
#ifndef JUDGE_DIAGNOSE_EXERCISE_RUN_H
#define JUDGE_DIAGNOSE_EXERCISE_RUN_H

#include "judge/run/run_worker.h"
#include "judge/submission/submission.h"

struct exercise_result;
struct planned_case;
struct run_outcome;

// The submitted kernel as built for each device; kept for measuring its speed.
struct run_kernel {
    struct submitted source;
    char *prepared;  // the copy for the compilers
    size_t prepared_bytes;
    char *stub;  // of the exercise
    bool built[DEVICE_KIND_COUNT];
    struct run_program program[DEVICE_KIND_COUNT];
    struct run_worker worker;  // has run the cases on a GPU; later does the timing
};
void run_kernel_done(struct run_kernel *kernel);

// Judges one exercise for correctness: fills verdict, headline, cases and findings of *result,
// whose exercise and file are set, and leaves the built kernel in *kernel (all zero at the start),
// which the caller frees in any case.
// Errors   ours; then *result is unusable.
enum status run_exercise(const struct judge_options *options, struct exercise_result *result,
                         struct run_kernel *kernel, struct error *err);

// Adds a case that was run elsewhere (a measured size) and did not pass: the exercise's verdict
// changes, and is explained like that of a case.
enum status run_case_failed(const struct run_kernel *kernel, enum device_kind device,
                            const struct planned_case *planned, const struct run_outcome *outcome,
                            struct exercise_result *result, struct error *err);

#endif

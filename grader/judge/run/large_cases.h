// The large cases of a kernel that was right in all others: more than 2^18 elements, rows and
// columns as long as when it is timed, and, for a product, sums as deep.
#ifndef JUDGE_RUN_LARGE_CASES_H
#define JUDGE_RUN_LARGE_CASES_H

#include "judge/run/case_sizes.h"
#include "judge/run/run_worker.h"

#define LARGE_CASES_MAX 16

// Accesses and barrier arrivals of a large case: two seconds.  None is planned that should make
// more than a quarter of these.
#define LARGE_STEPS 120000000ull

// The cases that the kernel has passed, and the accesses and barrier arrivals of each.
struct passed_cases {
    int count;
    const struct planned_case *planned;
    const uint64_t *steps;
};

// Plans them for the CPU device, the cheapest kinds first.  Sizes are drawn from the seed, none
// larger than the largest of exercise.ini; those of a product may be.  What a size costs follows
// from the cases that were passed, and from the launch that the worker plans for it.  Sizes that
// would take this kernel too long are made smaller, or left out.
// Errors: those of run_worker_plan.
enum status large_cases_plan(struct run_worker *worker, struct seed seed,
                             const struct passed_cases *passed,
                             struct planned_case ret_cases[LARGE_CASES_MAX], int *ret_count,
                             struct error *err);

#endif

// The large cases of a kernel that was right in all others: more than 2^18 elements, rows and
// columns as long as when it is timed, and, for a product, sums as deep.
#ifndef JUDGE_RUN_LARGE_CASES_H
#define JUDGE_RUN_LARGE_CASES_H

#include "judge/run/case_sizes.h"

#define LARGE_CASES_MAX 40

// Accesses and barrier arrivals of a large case: two seconds.  None is planned that should make
// more than a quarter of these.
#define LARGE_STEPS 120000000ull

#define CONSTANTS_MAX 8

// Whole numbers of a kernel's file that its stub has not: it may go another way at such a size.
struct constants {
    int count;
    int32_t value[CONSTANTS_MAX];  // in the order of the file
};
struct constants constants_find(const char *text, const char *stub);

// The cases that the kernel has passed, and the accesses and barrier arrivals of each.
struct passed_cases {
    int count;
    const struct planned_case *planned;
    const uint64_t *steps;
    bool hands_over;  // its blocks hand values to each other
    struct constants constants;
};

// What the LAUNCH_CONFIG of a kernel says for a size.
struct asked_grid {
    bool is_valid;
    bool has_others;   // there are several launches
    uint64_t threads;  // of the first launch
    uint64_t blocks;   // of the launch that has most
    uint32_t grid[3];  // of the first launch
};
typedef enum status launch_question(void *asked, struct size size, struct asked_grid *ret_shape,
                                    struct error *err);

struct large_cases {
    double rate;  // accesses and barrier arrivals for a unit of signature_work in whole tiles
    int count;
    struct planned_case list[LARGE_CASES_MAX];
    // Few sums as deep as when the kernel is timed, if no part of a timed launch is as deep; K is 0
    // if there is none.
    struct planned_case deep;
};

// Plans them for the CPU device, the cheapest kinds first.  Sizes are drawn from the seed, none
// larger than the largest of exercise.ini; those of a product may be.  Some are at the constants.
// What a size costs follows from the cases that were passed, and from the launch that `ask` says it
// has.  Sizes that would take this kernel too long are made smaller, or left out.
// Errors: those of ask.
enum status large_cases_plan(const struct exercise *exercise, struct seed seed,
                             const struct passed_cases *passed, launch_question *ask, void *asked,
                             struct large_cases *ret_cases, struct error *err);

#endif

// One size being timed: both workers, the outputs that are verified while the next pair runs, and
// what is wrong where something is.
#ifndef JUDGE_SPEED_TIMED_SIZE_H
#define JUDGE_SPEED_TIMED_SIZE_H

#include "judge/speed/timed_check.h"
#include "judge/speed/timed_expected.h"
#include "judge/speed/timed_launch.h"

// Pairs of a product whose outputs are held: one being verified, one being measured.  Outputs of
// other kernels are verified at once.
#define TIMED_SLOTS 2

struct pool;

// A launch that is wrong, and how.
struct wrong_launch {
    struct planned_case planned;
    struct run_outcome outcome;
};

struct timed_size {
    struct seed seed;
    const struct exercise *exercise;
    struct run_worker *worker[PAIRS_SIDES];
    enum timed_by by;  // what the reference's side computes with
    struct size size;
    int batch;
    struct timed_expected *expected;  // of a kernel that is no product; borrowed
    struct timed_check *check;        // of a product
    struct pool *readers;
    char *output[TIMED_SLOTS][PAIRS_SIDES];
    size_t stride, bytes;  // of one launch's output, of a side's
    int pair;              // the pair under way; -1: none
    bool collected[PAIRS_SIDES];
    int checking;  // the pair being verified; -1: none
    bool wrong;    // a launch of the student's kernel is wrong, namely:
    struct wrong_launch wrong_launch;
    struct gpu_lease *locked;  // until the end; NULL: for one launch at a time
};

// GFLOPS of a kernel that takes ms; 0 if its operations are not stated.
double timed_gflops(const struct exercise *exercise, struct size size, double ms);

// Owns     the caller frees with timed_size_done.   Errors  STATUS_NO_MEMORY, STATUS_SYSTEM.
enum status timed_size_init(struct timed_size *timed, struct size size, int batch,
                            struct error *err);
void timed_size_done(struct timed_size *timed);

// The calls of struct pairs_io; context is a struct timed_size.
enum status timed_size_launch(void *context, enum pairs_side side, int pair,
                              struct pairs_sample *ret_sample, struct error *err);
enum status timed_size_settle(void *context, bool *ret_right, struct error *err);
enum status timed_size_isolate(void *context, bool *ret_alone, struct error *err);

#endif

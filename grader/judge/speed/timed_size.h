// One size being timed: our own kernels that make the inputs, the launches of both workers (the
// three requests of device/channel/timed.h, with the judge's own clock around each), the outputs
// that are verified while the next pair runs, and the mistake, if there is one.
#ifndef JUDGE_SPEED_TIMED_SIZE_H
#define JUDGE_SPEED_TIMED_SIZE_H

#include "judge/compile/program_build.h"
#include "judge/run/cases.h"
#include "judge/speed/timed_check.h"
#include "judge/speed/timed_expected.h"
#include "measure/pairs.h"

// Compiles grader/device/gpu/inputs.cu and puts the cubin into the folder of each program, where
// its worker looks for it.  Errors STATUS_SYSTEM: it does not compile, because of our bug or a
// broken toolkit; STATUS_UNAVAILABLE.
enum status timed_inputs_build(const struct judge_machine *machine,
                               const struct run_program *const programs[], int program_count,
                               struct error *err);

struct timed_plan {
    struct size size;
    int batch;              // launches between the two events
    struct random_key key;  // of the inputs of the first
    enum timed_inputs inputs;
    enum timed_by by;
    const struct draw_spec *draw;  // [ARGUMENTS_MAX]: how arrays are drawn; NULL: as for a product
    bool watched;                  // the state of the GPU is queried, by some calls to its driver
};

// Pairs of a product whose outputs are held: one being verified, one being measured.  Outputs of
// other kernels are verified immediately.
#define TIMED_SLOTS 2

struct pool;

// A wrong launch, and its mistake.
struct wrong_launch {
    struct planned_case planned;
    struct run_outcome outcome;
};

struct timed_size {
    struct seed seed;
    const struct exercise *exercise;
    struct run_worker *worker[PAIRS_SIDES];
    enum timed_by by;  // the implementation on the reference's side
    struct size size;
    int batch;
    struct timed_expected *expected;  // of a kernel that is not a matmul; borrowed
    struct timed_check *check;        // of a product
    struct pool *readers;
    char *output[TIMED_SLOTS][PAIRS_SIDES];
    size_t stride, bytes;  // of one launch's output, of one side's outputs
    int pair;              // the current pair; -1: none
    bool collected[PAIRS_SIDES];
    int checking;  // the pair being verified; -1: none
    bool wrong;    // a launch of the student's kernel is wrong:
    struct wrong_launch wrong_launch;
    struct gpu_lease *locked;  // locked until the end; NULL: for one launch at a time
};

// GFLOPS of a kernel that takes ms; 0 if its operations are not stated.
double timed_gflops(const struct exercise *exercise, struct size size, double ms);

// Owns     the caller frees with timed_size_done.   Errors  STATUS_SYSTEM.
enum status timed_size_init(struct timed_size *timed, struct size size, int batch,
                            struct error *err);
void timed_size_done(struct timed_size *timed);

// The calls of struct pairs_io; context is a struct timed_size.
enum status timed_size_launch(void *context, enum pairs_side side, int pair,
                              struct pairs_sample *ret_sample, struct error *err);
enum status timed_size_settle(void *context, bool *ret_right, struct error *err);
enum status timed_size_isolate(void *context, bool *ret_alone, struct error *err);

#endif

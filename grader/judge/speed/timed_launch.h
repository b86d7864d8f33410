// One timed launch of one side, seen from the judge: the three requests of
// device/channel/protocol.h, with the judge's own clock around each.
#ifndef JUDGE_SPEED_TIMED_LAUNCH_H
#define JUDGE_SPEED_TIMED_LAUNCH_H

#include "judge/run/case.h"
#include "measure/pairs.h"

struct timed_plan {
    struct size size;
    int batch;              // launches between the two events
    struct random_key key;  // of the inputs of the first
    enum timed_inputs inputs;
    enum timed_by by;
    const struct draw_spec *draw;  // [ARGUMENTS_MAX]: how arrays are drawn; NULL: a product's
    bool watched;  // the state of the GPU is asked for, which takes its driver some calls
};

// Launches; afterwards C of launch j is in the worker's memfd at j * timed_layout_of(…).stride.
//
// A worker that gives no answer, or a GPU that does not finish in time, gets a second try in a new
// process, because a busy machine can do that to any kernel.
//
// Returns  *ret_outcome: a pass, or what is wrong with the launch (then the sample is not right).
// Errors   ours, as those of run_worker_launch.
enum status timed_launch(struct run_worker *worker, const struct timed_plan *plan,
                         struct pairs_sample *ret_sample, struct run_outcome *ret_outcome,
                         struct error *err);

#endif

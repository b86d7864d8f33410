// The arrays of one launch: as made, and as read back.
#ifndef JUDGE_RUN_ARRAYS_H
#define JUDGE_RUN_ARRAYS_H

#include "judge/expected/case.h"
#include "judge/oracle/oracle.h"
#include "judge/run/case_plan.h"
#include "judge/run/worker.h"

struct arrays {
    const struct signature *signature;   // borrowed
    const struct planned_case *planned;  // borrowed
    struct arguments arguments;
    const void *before[ARGUMENTS_MAX];  // what each array holds before the launch …
    void *after[ARGUMENTS_MAX];         // … and after it; NULL for what is no array
    void *own[ARGUMENTS_MAX];           // those of before that are freed here
    struct expected_case made;          // inputs and results of an exercise that is no product
    bool is_made;
};

// Makes the inputs of a case, and what a right kernel gives for them.
// Errors: STATUS_NO_MEMORY; those of expected_case_make.
// Owns: the caller ends *ret_arrays with arrays_done.
enum status arrays_make(const struct run_program *program, const struct planned_case *planned,
                        struct arrays *ret_arrays, struct error *err);
void arrays_done(struct arrays *arrays);

// Reads the arrays of a launch that ended.
enum status arrays_fetch(const struct run_worker *worker, struct arrays *arrays, struct error *err);

// Bit per input that the launch has changed.
uint32_t arrays_changed(const struct arrays *arrays);

// True if an output of floats holds LANE_JUNK_BITS.
bool arrays_hold_lane_junk(const struct arrays *arrays);

#endif

// One launch of a kernel, judged: inputs made, C poisoned, launched, read back, compared. All cases
// of one exercise on one device.
#ifndef JUDGE_RUN_CASES_H
#define JUDGE_RUN_CASES_H

#include "judge/expected/expected_case.h"
#include "judge/oracle/matmul_oracle.h"
#include "judge/run/case_sizes.h"
#include "judge/run/launch_outcome.h"
#include "judge/run/run_worker.h"

struct arrays {
    const struct signature *signature;   // borrowed
    const struct planned_case *planned;  // borrowed
    struct arguments arguments;
    const void *before[ARGUMENTS_MAX];  // the contents of each array before the launch
    void *after[ARGUMENTS_MAX];         // and after the launch; NULL if it is not an array
    void *own[ARGUMENTS_MAX];           // those in `before` that are freed here
    struct expected_case made;          // inputs and results of an exercise that is not a matmul
    bool is_made;
};

// Makes the inputs of a case, and the results of a right kernel.
// Errors: those of expected_case_make.
// Owns: the caller ends *ret_arrays with arrays_done.
enum status arrays_make(const struct run_program *program, const struct planned_case *planned,
                        struct arrays *ret_arrays, struct error *err);
void arrays_done(struct arrays *arrays);

// The REQUEST_ flags of a case on a device.
uint32_t run_case_flags(enum device_kind device);

// Runs one case with REQUEST_ flags.  A wrong kernel is an outcome; errors are our own failures.
enum status run_case(struct run_worker *worker, const struct planned_case *planned, uint32_t flags,
                     struct run_outcome *ret_outcome, struct error *err);

// The same in a separate worker, which ends with the case.
enum status run_case_alone(const struct run_program *program, const struct planned_case *planned,
                           uint32_t flags, struct run_outcome *ret_outcome, struct error *err);

// Launches the kernel with these inputs, without checkers. *ret_ended is false if it did not end by
// itself; c is then unchanged.
// Shapes  c [M][N]; the c of *inputs is not used.
enum status run_case_product(struct run_worker *worker, const struct matmul *inputs, float *c,
                             bool *ret_ended, struct error *err);

// Writes the first launch of a case to a file that a worker of the CPU device can read by itself:
// see device/channel/protocol.h.
enum status run_case_record(const struct run_program *program, const struct planned_case *planned,
                            uint32_t flags, const char *path, struct error *err);

struct case_list;
struct exercise_result;

// The launch that decides the verdict: the first of those with the first verdict in precedence.
struct run_failure {
    bool failed;
    enum device_kind device;
    struct planned_case planned;
    struct run_outcome outcome;
    struct size unended;  // a larger launch that was cut short later; at[0] is 0 if there was none
};

// Adds a case that was run.  The list has room for the cases of both devices; a case that is
// measured after them is omitted if the list is full.
void run_case_add(struct case_list *cases, const struct planned_case *planned,
                  enum device_kind device, enum verdict verdict);

// Shows the output that the kernel printed in this launch.
void run_output_show(struct exercise_result *result, const struct planned_case *planned,
                     const struct run_outcome *outcome);

// Runs the cases in a worker, which the caller stops; adds them and their findings to *result and
// keeps the worst in *failure.
enum status run_cases(const struct judge_options *options, struct run_worker *worker,
                      struct exercise_result *result, struct run_failure *failure,
                      struct error *err);

#endif

// One launch of a kernel, judged: inputs made, C poisoned, launched, read back, compared.
#ifndef JUDGE_RUN_CASE_H
#define JUDGE_RUN_CASE_H

#include "judge/run/case_plan.h"
#include "judge/run/outcome.h"
#include "judge/run/worker.h"

// The REQUEST_ flags of a case on a device.
uint32_t run_case_flags(enum device_kind device);

// Runs one case with REQUEST_ flags.  A wrong kernel is an outcome; errors are trouble of ours.
enum status run_case(struct run_worker *worker, const struct planned_case *planned, uint32_t flags,
                     struct run_outcome *ret_outcome, struct error *err);

// The same in a worker of its own, which ends with it.
enum status run_case_alone(const struct run_program *program, const struct planned_case *planned,
                           uint32_t flags, struct run_outcome *ret_outcome, struct error *err);

// Launches the kernel with these inputs, without checkers.  *ret_ended is false if it did not end
// by itself; c is then left as it is.
// Shapes  c [M][N]; that of *inputs is not used.
enum status run_case_product(struct run_worker *worker, const struct matmul *inputs, float *c,
                             bool *ret_ended, struct error *err);

// Writes the first launch of a case to a file that a worker of the CPU device can read by itself:
// see device/channel/protocol.h.
enum status run_case_record(const struct run_program *program, const struct planned_case *planned,
                            uint32_t flags, const char *path, struct error *err);

// Asks the CPU device for the launch configuration of a size, and launches nothing.  *ret_answered
// is false if the worker gave no answer, which a configuration can cause.
enum status run_case_plan(struct run_worker *worker, struct size size, bool *ret_answered,
                          struct answer *ret_answer, struct error *err);

#endif

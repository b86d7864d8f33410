// Our own kernels for timed launches, built for the GPU that is measured.
#ifndef JUDGE_SPEED_TIMED_HELPER_H
#define JUDGE_SPEED_TIMED_HELPER_H

#include "judge/build/program.h"

// Compiles grader/device/gpu/inputs.cu and puts the cubin into the folder of each program, where
// its worker looks for it. Errors  STATUS_SYSTEM: it does not compile, our bug or a broken toolkit;
// STATUS_UNAVAILABLE.
enum status timed_inputs_build(const struct judge_machine *machine,
                               const struct run_program *const programs[], int program_count,
                               struct error *err);

#endif

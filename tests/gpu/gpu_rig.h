// What the checks of the GPU device share: the GPU, built kernels, and a table of rows.
#ifndef TESTS_GPU_RIG_H
#define TESTS_GPU_RIG_H

#include "judge/run/cases.h"

struct rig {
    struct judge_machine machine;
    const char *reference;  // folder
    int failures;
};

// Ends the program with 3 if status is an error.
void rig_check(enum status status, const struct error *err);

// Finds the GPU.  False, with a line that says why, if there is none.
bool rig_open(struct rig *rig, const char *programs, const char *include, const char *reference);

// One row of the table.
void rig_row(struct rig *rig, bool good, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The text of reference/EXERCISE.cu; the caller frees it.
char *rig_reference(const struct rig *rig, const char *exercise);

// Builds a kernel file for matmul_EXERCISE; _for: for any device, and with tensor cores unless the
// precision is fp32.  False, with a row, if it does not build.
bool rig_build(struct rig *rig, const char *exercise, const char *text,
               struct run_program *ret_program);
bool rig_build_for(struct rig *rig, enum device_kind device, enum precision precision,
                   const char *exercise, const char *text, struct run_program *ret_program);

// Lets the workers started from now on find another libcuda.so.1 ($GPU_CHECK_DRIVER, such as
// fake_cuda.c), which NVRTC must not see; rig_build undoes it.
void rig_driver_choose(void);

double rig_now_ms(void);

// The parts of the check.
void check_right_kernels(struct rig *rig);
void check_agreement(struct rig *rig);
void check_wrong_kernels(struct rig *rig);
void check_pairs(struct rig *rig);
void check_cheats(struct rig *rig);
void check_guards(struct rig *rig);
void check_inputs(struct rig *rig);
void check_threshold(struct rig *rig);
void check_times(struct rig *rig);

#endif

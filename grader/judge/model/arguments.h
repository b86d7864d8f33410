// What a launch of an exercise is called with, for its worker.
#ifndef JUDGE_MODEL_ARGUMENTS_H
#define JUDGE_MODEL_ARGUMENTS_H

#include "device/build_report.h"
#include "emu/wire/arguments.h"
#include "exercise/signature.h"

// The arguments at a size.  Constant arrays are where the build's report says; one that is missing
// in the program, or too small, is_missing.  report: NULL where nothing is launched on the CPU
// device.
struct arguments arguments_of(const struct signature *signature, struct size size,
                              const struct build_report *report);

#endif

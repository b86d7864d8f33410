// What differs between the two devices: the plan of a build, the worker's command line, and how
// each reads a failed step that left no report.
#ifndef DEVICE_BUILD_STEPS_H
#define DEVICE_BUILD_STEPS_H

#include "device/build/plan.h"
#include "device/source/fault.h"

#define EMU_STEPS_OF_COMPILER 2  // the first of the plan: compile and preprocess

// Steps keep their own failures: see step_check.
enum status build_emu_plan(const struct device_paths *paths, const char *kernel,
                           struct build_plan *plan, struct error *err);
void build_gpu_plan(const struct device_paths *paths, const char *kernel, const char *architecture,
                    struct build_plan *plan);

void build_emu_worker(const char *scratch, struct build_step *step);
void build_gpu_worker(const struct device_paths *paths, const char *scratch, const char *kernel,
                      int gpu, struct build_step *step);

// The compiler's flags, for tests that compile kernels themselves: a line for any processor, and a
// line for this one.
const char *build_emu_flags(void);

enum status build_emu_failed(const char *kernel, int step, int exit_code, const char *output,
                             struct build_report *report, struct error *err);
enum status build_gpu_failed(int exit_code, const char *output, struct build_report *report,
                             struct error *err);

#endif

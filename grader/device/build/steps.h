// Command lines put together, for the modules that plan builds.
#ifndef DEVICE_BUILD_STEPS_H
#define DEVICE_BUILD_STEPS_H

#include "device/build/build.h"

// Adds one argument, formatted.  Errors: STATUS_NO_MEMORY, STATUS_BAD_USAGE (too many, or too
// long).
enum status step_add(struct build_step *step, struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Adds the words of a text, which are separated by single spaces.
enum status step_add_words(struct build_step *step, const char *words, struct error *err);

// The plans of the two devices, and how each reads a failed step that left no report.
enum status build_emu_plan(const struct device_paths *paths, const char *kernel,
                           struct build_plan *plan, struct error *err);
enum status build_emu_worker(const char *scratch, struct build_step *step, struct error *err);
enum status build_emu_failed(const char *kernel, int step, int exit_code, const char *output,
                             struct build_report *report, struct error *err);
enum status build_gpu_plan(const struct device_paths *paths, const char *kernel,
                           const char *architecture, struct build_plan *plan, struct error *err);
enum status build_gpu_worker(const struct device_paths *paths, const char *scratch,
                             const char *kernel, int gpu, struct build_step *step,
                             struct error *err);
enum status build_gpu_failed(int exit_code, const char *output, struct build_report *report,
                             struct error *err);

#endif

// NVIDIA's own tools around tilegrade-gpu-once: where they are, and their command lines.
#ifndef DEVICE_NVIDIA_TOOL_H
#define DEVICE_NVIDIA_TOOL_H

#include "base/size.h"
#include "device/build/plan.h"

// What is run under a tool: one launch of a cubin.
struct tool_launch {
    const char *programs;  // the folder of the build/ programs
    const char *scratch;   // holds kernel.cubin
    const char *kernel;    // "matmul_tiled"
    int gpu;
    struct size size;
};

// Finds a tool on PATH, in $CUDA_HOME/bin, or in /usr/local/cuda/bin.  Errors: STATUS_UNAVAILABLE.
enum status nvidia_tool_find(const char *name, char path[PATH_BYTES_MAX], struct error *err);

// compute-sanitizer with one of its tools (sanitizer.h).  Owns: build_step_done.
enum status sanitizer_command(const char *tool_path, const char *tool,
                              const struct tool_launch *launch, struct build_step *ret_step,
                              struct error *err);

// ncu with metrics separated by commas; it prints CSV (ncu.h).
enum status ncu_command(const char *tool_path, const char *metrics,
                        const struct tool_launch *launch, struct build_step *ret_step,
                        struct error *err);

#endif

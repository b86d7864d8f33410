// Command lines as data, put together argument by argument.
#ifndef DEVICE_BUILD_PLAN_H
#define DEVICE_BUILD_PLAN_H

#include <stdbool.h>

#include "base/error.h"
#include "base/limits.h"

#define BUILD_ARGUMENTS_MAX 144  // four addresses of each finding fit on one command line
#define BUILD_STEPS_MAX     8
#define BUILD_TENSOR_CORES  "--tensor-cores"            // an option of tilegrade-nvrtc …
#define EMU_TENSOR_CORES    "-DTILEGRADE_TENSOR_CORES"  // … and for g++: emu/shim/cuda_matrix.h
#define BUILD_TAKES         "--takes="      // … another: the letters of ptx_entry_takes
#define BUILD_INPUTS        "inputs.cubin"  // our kernels for timed launches

// Where the parts of the program are.  All absolute.
struct device_paths {
    char include[PATH_BYTES_MAX];   // grader/include: matmul.cuh and the stand-in headers
    char shim[PATH_BYTES_MAX];      // grader/emu/shim
    char programs[PATH_BYTES_MAX];  // the folder of the build/ programs and objects
    char compiler[PATH_BYTES_MAX];  // the g++ for the CPU device; "" is /usr/bin/g++
    int compiler_version;           // its first number; 0 if unknown
    bool checks_locals;  // CPU device: accesses to a thread's own arrays are checked, which
                         // makes a kernel half as fast
    bool is_released;    // without sources, and without the programs for a GPU
};

// One command, run in the scratch folder with a clean environment.  Strings are owned by the step.
struct build_step {
    const char *what;                         // for messages: "compile", "link", "inspect"
    char *argument[BUILD_ARGUMENTS_MAX + 1];  // NULL-terminated; argument[0] is an absolute path or
                                              // found in /usr/bin
    bool reads_headers;                       // the system's too, which no kernel may include
    enum status failure;                      // the first failure while arguments are added
};

struct build_plan {
    int step_count;
    struct build_step step[BUILD_STEPS_MAX];
};

// Adds one argument, formatted.  A failure is kept in the step, and further arguments are ignored.
void step_add(struct build_step *step, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Adds the words of a text, which are separated by single spaces.
void step_add_words(struct build_step *step, const char *words);

// Errors: what step_add kept: STATUS_NO_MEMORY, STATUS_BAD_USAGE (too many arguments).
enum status step_check(const struct build_step *step, struct error *err);

// Hands over a step that is complete.  Errors: those of step_check; the step is then ended.
// Owns: the caller ends *ret_step with build_step_done.
enum status step_finish(struct build_step *step, struct build_step *ret_step, struct error *err);

void build_step_done(struct build_step *step);
void build_plan_done(struct build_plan *plan);

#endif

// How a kernel file becomes something that a worker can run, as data: the judge runs the steps in
// its sandbox.
#ifndef DEVICE_BUILD_BUILD_H
#define DEVICE_BUILD_BUILD_H

#include <stdbool.h>

#include "base/error.h"
#include "device/source/fault.h"

enum device_kind { DEVICE_EMU, DEVICE_GPU, DEVICE_KIND_COUNT };
const char *device_kind_name(enum device_kind kind);  // "emu", "gpu"

// Names of the variables of our environment that every program of a device gets: which GPU is
// meant, and where the toolkit is.  The probe, the compiler and the worker must agree about both.
// Ends in NULL.
const char *const *device_variables(enum device_kind kind);

// How the kernel of an exercise is called, and the entry point that LAUNCH_CONFIG opens for it
// (matmul.cuh).
#define KERNEL_PREFIX        "matmul_"
#define LAUNCH_CONFIG_SUFFIX "_launch_config"

// The exercise in a kernel's name; the name itself where it has no such prefix.
const char *kernel_exercise(const char *kernel);

#define BUILD_ARGUMENTS_MAX 96  // two addresses of each finding fit on one command line
#define BUILD_STEPS_MAX     8
// What the last step says of the program (struct build_report), in the scratch folder.
#define BUILD_REPORT       "report.json"
#define BUILD_TENSOR_CORES "--tensor-cores"  // to tilegrade-nvrtc
// Our own kernels, for timed launches, beside the cubin.
#define BUILD_INPUTS "inputs.cubin"

// Where the parts of the program are.  All absolute.
struct device_paths {
    char include[PATH_BYTES_MAX];   // grader/include: matmul.cuh and the stand-in headers
    char shim[PATH_BYTES_MAX];      // grader/emu/shim
    char programs[PATH_BYTES_MAX];  // the folder of the build/ programs and libemu-worker.a
    char compiler[PATH_BYTES_MAX];  // the g++ for the CPU device; "" is /usr/bin/g++
    int compiler_version;           // its first number; 0 if unknown
};

// One command, run in the scratch folder with a clean environment.  Strings are owned by the plan.
struct build_step {
    const char *what;                         // for messages: "compile", "link", "inspect"
    char *argument[BUILD_ARGUMENTS_MAX + 1];  // strings of the step; NULL-terminated; argument[0]
                                              // is an absolute path or found in /usr/bin
};

struct build_plan {
    int step_count;
    struct build_step step[BUILD_STEPS_MAX];
};

// Fills a plan for the file BUILD_SOURCE in the scratch folder and the kernel matmul_<exercise>.
// GPU: `architecture` as "sm_90".  Errors: STATUS_UNAVAILABLE: no compiler here, with the remedy.
enum status build_plan_make(enum device_kind kind, const struct device_paths *paths,
                            const char *kernel, const char *architecture,
                            struct build_plan *ret_plan, struct error *err);
// GPU: lets the kernel use tensor cores.  Errors: STATUS_NO_MEMORY.
enum status build_plan_allow_tensor_cores(enum device_kind kind, struct build_plan *plan,
                                          struct error *err);
void build_plan_done(struct build_plan *plan);

// The worker's command line for a finished build in `scratch`.
enum status build_worker_command(enum device_kind kind, const struct device_paths *paths,
                                 const char *scratch, const char *kernel, int gpu,
                                 struct build_step *ret_step, struct error *err);
void build_step_done(struct build_step *step);

// Reads what the steps left behind.  exit_codes[i] is the exit code of step i (-1: not run, 128+n:
// signal n); outputs[i] its captured stdout and stderr.  Errors are ours (a step that cannot have
// failed for the student's fault).
enum status build_report_read(enum device_kind kind, const char *scratch, const char *kernel,
                              const int *exit_codes, char *const *outputs, int steps_run,
                              struct build_report *ret_report, struct error *err);

// Source lines of program addresses, by the inspector: the command prints one "line column" pair
// per address, in order.
enum status build_locate_command(const struct device_paths *paths, const char *scratch,
                                 const uint64_t *addresses, int address_count,
                                 struct build_step *ret_step, struct error *err);
// Parses that output; what is unknown is 0.
struct build_place {
    uint32_t line;
    uint32_t column;  // in bytes, from 1
};
void build_locate_parse(const char *output, int address_count, struct build_place *ret_places);

#endif

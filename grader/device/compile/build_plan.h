// The build of a kernel file for a worker, as data: command lines, composed argument by argument,
// which the judge runs in its sandbox; and the interpretation of a failed step that left no report.
#ifndef DEVICE_COMPILE_BUILD_PLAN_H
#define DEVICE_COMPILE_BUILD_PLAN_H

#include <stdbool.h>

#include "base/error.h"
#include "base/limits.h"
#include "device/build_report.h"
#include "device/device.h"

#define BUILD_ARGUMENTS_MAX 144  // so that four addresses of each finding fit on a command line
#define BUILD_STEPS_MAX     8
#define BUILD_TENSOR_CORES  "--tensor-cores"            // an option of tilegrade-nvrtc …
#define EMU_TENSOR_CORES    "-DTILEGRADE_TENSOR_CORES"  // … and for g++: emu/shim/cuda_emu.h
#define BUILD_TAKES         "--takes="      // … another: the letters of ptx_entry_takes
#define BUILD_INPUTS        "inputs.cubin"  // our kernels for timed launches

// The compiler's flags for an expected.c.  -g1 would lack the calls that are inlined.
#define BUILD_FLAGS_EXPECTED                                                                       \
    "-x c++ -std=c++17 -O1 -g -Werror=return-type -fno-exceptions -fno-rtti "                      \
    "-fno-threadsafe-statics -ffp-contract=off -fno-pie -fdiagnostics-color=never "                \
    "-fno-diagnostics-show-caret"

// The places of the program's parts.  All absolute.
struct device_paths {
    char include[PATH_BYTES_MAX];   // grader/include: matmul.cuh and the stand-in headers
    char shim[PATH_BYTES_MAX];      // grader/emu/shim
    char programs[PATH_BYTES_MAX];  // the folder of the build/ programs and objects
    char compiler[PATH_BYTES_MAX];  // the g++ for the CPU device; "" is /usr/bin/g++
    int compiler_version;           // its first number; 0 if unknown
    bool checks_locals;  // CPU device: accesses to a thread's own arrays are checked, which
                         // makes a kernel half as fast
    bool is_released;    // a release: without sources and without GPU programs
};

// One command, run in the scratch folder with a clean environment.  Strings are owned by the step.
struct build_step {
    const char *what;                         // for messages: "compile", "link", "inspect"
    char *argument[BUILD_ARGUMENTS_MAX + 1];  // NULL-terminated; argument[0] is an absolute path or
                                              // found in /usr/bin
    bool reads_headers;                       // even system headers, which no kernel may include
};

struct build_plan {
    int step_count;
    struct build_step step[BUILD_STEPS_MAX];
};

// Adds one argument, formatted.
void step_add(struct build_step *step, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Adds the words of a text, which are separated by single spaces.
void step_add_words(struct build_step *step, const char *words);

void build_step_done(struct build_step *step);
void build_plan_done(struct build_plan *plan);

// The compiler's flags, for who compiles kernels or headers without a plan: a line for any
// processor, a line for this one, a line of warnings, and BUILD_FLAGS_EXPECTED.
const char *build_emu_flags(void);

// Fills a plan for the file BUILD_SOURCE in the scratch folder and the kernel matmul_<exercise>.
// GPU: `architecture` as "sm_90".  Errors: STATUS_UNAVAILABLE: no compiler here, with the remedy.
enum status build_plan_make(enum device_kind kind, const struct device_paths *paths,
                            const char *kernel, const char *architecture,
                            struct build_plan *ret_plan, struct error *err);

// The interface of a kernel: its parameters as in C++, the sizes of its configuration, and the
// headers that declare some of the types: cuda_fp16.h, cuda_bf16.h, stdint.h.
struct build_contract {
    const char *parameters;  // "const float *x, float *y, int N"; NULL: matmul.cuh has them
    const char *sizes;       // "int N"
    const char *takes;       // both for NVRTC's inspector: letters of ptx_entry_takes, "LLI,LI"
    bool uses_half, uses_bf16, uses_stdint;
    bool uses_workspace;  // the last parameter is `float *workspace`
};
void build_plan_contract(enum device_kind kind, const struct build_contract *contract,
                         struct build_plan *plan);

// Lets the kernel use tensor cores.
void build_plan_allow_tensor_cores(enum device_kind kind, struct build_plan *plan);

// CPU: no optimization, so that a debugger finds each variable.
void build_plan_debug(struct build_plan *plan);

// CPU: the compiler checks no division by 0, shift or conversion.  For a file in which a condition
// chooses an array: with a check in the index, g++ computes the index for one of the arrays alone.
// On x86 a division by 0 traps when executed.
void build_plan_leave_arithmetic(struct build_plan *plan);

// The folder in which the steps of a build run, and their result.
struct build_folder {
    const char *path;  // the scratch folder
    const char *kernel;
    enum device_kind kind;
};

// CPU: the commands that link the built kernel once more, with another value in variables that have
// none yet, and that start this worker.  Owns: the caller ends them with build_step_done.
struct build_step build_other_link_command(const struct device_paths *paths, const char *kernel);
struct build_step build_other_worker_command(const char *folder);

// The worker's command line for a finished build.  Owns: the caller ends it with build_step_done.
struct build_step build_worker_command(const struct build_folder *folder,
                                       const struct device_paths *paths, int gpu);

// Reads the results of the steps.  exit_codes[i] is the exit code of step i (-1: not run, 128+n:
// signal n); outputs[i] its captured stdout and stderr.  Errors are ours (a step failed, but not
// through the student's fault).
enum status build_report_read(const struct build_folder *folder, const int *exit_codes,
                              char *const *outputs, int steps_run, struct build_report *ret_report,
                              struct error *err);

// Whole programs: the commands, in the order in which they run.  For each file: compile, rewrite,
// assemble, trim (a file of C: compile and trim); then the objects' inspection, the link, and the
// inspection of the arrays.  Own: the caller ends each with build_step_done.
#define BUILD_PROGRAM_OBJECT "kernel%d.o"
#define PROGRAM_NAMES        "program-names"  // of symbols, for objcopy; made by the Makefile

struct build_program_file {
    const char *text;            // its changed text, below the scratch folder
    const char *shown;           // its name for __FILE__
    const char *object;          // the result
    const char *const *options;  // -I and -D, NULL-terminated
    bool is_c;
};
struct build_step build_program_compile(const struct device_paths *paths,
                                        const struct build_program_file *file);
struct build_step build_program_rewrite(const struct device_paths *paths);
struct build_step build_program_assemble(const char *object);
// function: the host function of an exercise, which the worker calls, or NULL.
struct build_step build_program_trim(const struct device_paths *paths, const char *object,
                                     const char *function);
// The objects are linked only if they have this function: "main", or that of an exercise.
struct build_step build_program_objects(const struct device_paths *paths, const char *function,
                                        int objects);
struct build_step build_program_arrays(const struct device_paths *paths, int objects);
struct build_step build_program_link(const struct device_paths *paths, int objects,
                                     const char *function);

// Reads the report that a step left in the scratch folder.  Errors: STATUS_SYSTEM.
enum status build_report_load(const char *scratch, struct build_report *ret_report,
                              struct error *err);

// Source lines of program addresses, by the inspector: the command prints one "line column" pair
// per address, in order.  Owns: the caller ends it with build_step_done.
struct build_step build_locate_command(const struct device_paths *paths, const char *scratch,
                                       const uint64_t *addresses, int address_count);
// Parses that output; unknown numbers are 0.
struct build_place {
    uint32_t line;
    uint32_t column;  // in bytes, from 1
};
void build_locate_parse(const char *output, int address_count, struct build_place *ret_places);

#endif

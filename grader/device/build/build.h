// How a kernel file becomes something that a worker can run, as data: the judge runs the steps in
// its sandbox.
#ifndef DEVICE_BUILD_BUILD_H
#define DEVICE_BUILD_BUILD_H

#include "device/build/kind.h"
#include "device/build/plan.h"
#include "device/source/fault.h"

// Fills a plan for the file BUILD_SOURCE in the scratch folder and the kernel matmul_<exercise>.
// GPU: `architecture` as "sm_90".  Errors: STATUS_UNAVAILABLE: no compiler here, with the remedy.
enum status build_plan_make(enum device_kind kind, const struct device_paths *paths,
                            const char *kernel, const char *architecture,
                            struct build_plan *ret_plan, struct error *err);
// What a kernel is called with: its parameters as in C++, the sizes of its configuration, and
// which headers declare some of the types: cuda_fp16.h, cuda_bf16.h, stdint.h.
struct build_contract {
    const char *parameters;  // "const float *x, float *y, int N"; NULL: matmul.cuh has them
    const char *sizes;       // "int N"
    const char *takes;       // both for NVRTC's inspector: letters of ptx_entry_takes, "LLI,LI"
    bool uses_half, uses_bf16, uses_stdint;
    bool uses_workspace;  // the last parameter is `float *workspace`
};
// Errors: STATUS_NO_MEMORY.
enum status build_plan_contract(enum device_kind kind, const struct build_contract *contract,
                                struct build_plan *plan, struct error *err);

// Lets the kernel use tensor cores.  Errors: STATUS_NO_MEMORY.
enum status build_plan_allow_tensor_cores(enum device_kind kind, struct build_plan *plan,
                                          struct error *err);

// CPU: no optimization, so that a debugger finds each variable.  Errors: STATUS_NO_MEMORY.
enum status build_plan_debug(struct build_plan *plan, struct error *err);

// CPU: the compiler does not check divisions by 0 (judge/code/choice.h says why).  On x86 they trap
// if they are computed.  Errors: STATUS_NO_MEMORY.
enum status build_plan_leave_divisions(struct build_plan *plan, struct error *err);

// The worker's command line for a finished build in `scratch`.
enum status build_worker_command(enum device_kind kind, const struct device_paths *paths,
                                 const char *scratch, const char *kernel, int gpu,
                                 struct build_step *ret_step, struct error *err);

// Reads what the steps left behind.  exit_codes[i] is the exit code of step i (-1: not run, 128+n:
// signal n); outputs[i] its captured stdout and stderr.  Errors are ours (a step failed, but not
// through the student's fault).
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

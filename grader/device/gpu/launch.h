// The driver's report of a launch that failed, as an answer to the judge.  Pure.
//
// The student's kernel on the GPU: its launch configuration, its launch, and the handling of a
// failed launch.
#ifndef DEVICE_GPU_LAUNCH_H
#define DEVICE_GPU_LAUNCH_H

#include <stdbool.h>

#include "device/channel/launcher.h"
#include "device/channel/protocol.h"
#include "device/gpu/context.h"
#include "device/gpu/cuda_api.h"
#include "device/gpu/module.h"

// Fills end, text and, if the driver's report is exact, one finding.  name and sentence are the
// driver's.
//
// Returns  false if the result is not a fault of a kernel (a lost GPU, an ECC error …): a failure
//          of ours; *answer is unchanged.
// Source   CUDA Driver API, CUresult.  All of these results except LAUNCH_OUT_OF_RESOURCES end the
//          context.
bool gpu_fault_answer(cuda_result result, const char *name, const char *sentence,
                      struct answer *answer);

// The answer to a launch that was still running at its limit.
void gpu_late_answer(uint64_t limit_ms, struct answer *answer);

struct gpu_kernel {
    struct gpu_module module;
    cuda_address config_memory;  // the memory that LAUNCH_CONFIG writes to
    struct size config_size;     // the plan is for this size; m = 0: there is no plan
    struct launch_plan plan;
    struct gpu_function function[PLAN_LAUNCHES_MAX];  // the kernel of each launch of the plan
};

// Loads the kernel again, so that its static data holds nothing from earlier launches.
enum status gpu_kernel_load(const struct gpu_context *context, struct gpu_kernel *kernel,
                            struct error *err);
void gpu_kernel_free(const struct gpu_context *context, struct gpu_kernel *kernel);

// Finds the configuration for the request's size, by running LAUNCH_CONFIG as one thread.  If there
// is none that this GPU can run, the answer says so and answer->end is not RUN_FINISHED.
enum status gpu_configure(struct gpu_context *context, struct gpu_kernel *kernel,
                          const struct request *request, struct answer *answer, struct error *err);

// Puts the launches of one product into the queue, one after the other.  A refused launch is an
// answer, RUN_BAD_LAUNCH if it is the kernel's fault.
// Errors  STATUS_NO_MEMORY: the GPU has memory for this kernel, but other programs have taken it.
enum status gpu_kernel_queue(struct gpu_context *context, const struct gpu_kernel *kernel,
                             const struct gpu_array array[GLOBAL_ARRAY_COUNT],
                             const struct arguments *arguments, struct answer *answer,
                             struct error *err);

// Fills one constant array.  Errors: STATUS_SYSTEM.
enum status gpu_constant_fill(const struct gpu_context *context, const struct gpu_kernel *kernel,
                              const struct argument *argument, const void *values,
                              struct error *err);

// Fills the constant arrays of a request from the memfd.  Errors: STATUS_SYSTEM.
enum status gpu_constants_fill(const struct gpu_context *context, const struct gpu_kernel *kernel,
                               const struct request *request, int fd, struct error *err);

// Waits for the queued launches, up to the request's limit; a failure goes into the answer.
enum status gpu_kernel_wait(struct gpu_context *context, const struct request *request,
                            struct answer *answer, struct error *err);

#endif

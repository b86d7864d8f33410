// One GPU opened by the worker: the context, the two events that time a launch, and how a launch is
// started and waited for.
#ifndef DEVICE_GPU_CONTEXT_H
#define DEVICE_GPU_CONTEXT_H

#include <stdbool.h>

#include "device/gpu/driver.h"

struct gpu_context {
    struct cuda_driver driver;
    cuda_device device;
    cuda_event_handle start, end;
    int multiprocessors;
    uint64_t shared_bytes_max;  // for a block that opts in
    uint64_t memory_bytes;      // the memory of the whole GPU
    uint64_t resident_threads;  // how many threads the whole GPU can hold at a time
    bool overlaps;              // a launch may begin before the one before it has ended
    bool open;
    bool lost;  // a launch failed or outlasted its limit: nothing more can be run, nor freed
};

// Opens GPU number `device` of those that CUDA shows.
// Errors  STATUS_UNAVAILABLE: there is none of that number; STATUS_SYSTEM, STATUS_NO_MEMORY.
enum status gpu_context_open(struct gpu_context *context, int device, struct error *err);
void gpu_context_close(struct gpu_context *context);

// Waits for the end event.  Returns the result of the launch that precedes this event, or
// NOT_READY if that launch outlasts limit_ms.
cuda_result gpu_context_wait(const struct gpu_context *context, uint64_t limit_ms);

#endif

// The primary context is retained, so that nothing of it outlives the process.
#include "device/gpu/context.h"

#include <sched.h>
#include <time.h>

#include "base/clock.h"

#define PRINTF_BYTES PRINTF_BYTES_MAX
#define HEAP_BYTES   (1u << 20)  // for malloc in kernels
#define SPIN_NS      200000  // how long to poll without sleep, so that short launches end on time

static int attribute_of(const struct gpu_context *context, int attribute) {
    int value = 0;
    cuda_result result = context->driver.api.device_attribute(&value, attribute, context->device);
    return result == CUDA_RESULT_SUCCESS && value > 0 ? value : 0;
}

static void limits_ask(struct gpu_context *context) {
    size_t bytes = 0;
    context->multiprocessors = attribute_of(context, CUDA_DEVICE_MULTIPROCESSORS);
    context->shared_bytes_max = (uint64_t)attribute_of(context, CUDA_DEVICE_SHARED_OPTIN_BYTES);
    context->resident_threads = (uint64_t)context->multiprocessors *
                                (uint64_t)attribute_of(context, CUDA_DEVICE_RESIDENT_THREADS);
    context->overlaps = context->driver.api.launch_with_attributes != NULL &&
                        attribute_of(context, CUDA_DEVICE_CAPABILITY_MAJOR) >= 9;
    if (context->driver.api.device_memory(&bytes, context->device) == CUDA_RESULT_SUCCESS) {
        context->memory_bytes = bytes;
    }
}

enum status gpu_context_open(struct gpu_context *context, int device, struct error *err) {
    const struct cuda_api *api = &context->driver.api;
    cuda_context_handle handle = NULL;
    int count = 0;
    enum status status = cuda_driver_open(&context->driver, err);
    if (status) {
        return status;
    }
    if (api->device_count(&count) != CUDA_RESULT_SUCCESS || device < 0 || device >= count ||
        api->device_get(&context->device, device) != CUDA_RESULT_SUCCESS) {
        return fail(err, STATUS_UNAVAILABLE, "there is no GPU %d; this machine has %d", device,
                    count);
    }
    cuda_result result = api->context_retain(&handle, context->device);
    if (result != CUDA_RESULT_SUCCESS) {
        return cuda_fail(&context->driver, result, "opening the GPU", err);
    }
    context->open = true;
    result = api->context_current(handle);
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->context_limit(CUDA_LIMIT_PRINTF_BYTES, PRINTF_BYTES);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->context_limit(CUDA_LIMIT_HEAP_BYTES, HEAP_BYTES);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->event_create(&context->start, 0);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->event_create(&context->end, 0);
    }
    limits_ask(context);
    return result == CUDA_RESULT_SUCCESS
               ? STATUS_OK
               : cuda_fail(&context->driver, result, "setting up the GPU", err);
}

void gpu_context_close(struct gpu_context *context) {
    // A lost context, or one whose kernel still runs, is left to the driver: it ends with the
    // process.
    if (context->open && !context->lost) {
        (void)context->driver.api.context_release(context->device);
    }
    context->open = false;
}

cuda_result gpu_context_wait(const struct gpu_context *context, uint64_t limit_ms) {
    int64_t begin = clock_ns();
    for (;;) {
        cuda_result result = context->driver.api.event_query(context->end);
        if (result != CUDA_RESULT_NOT_READY) {
            return result;
        }
        int64_t waited = clock_ns() - begin;
        if (waited / 1000000 >= (int64_t)limit_ms) {
            return CUDA_RESULT_NOT_READY;
        }
        if (waited < SPIN_NS) {
            (void)sched_yield();
        } else {
            (void)nanosleep(&(struct timespec){.tv_nsec = waited < 20 * SPIN_NS ? 50000 : 500000},
                            NULL);
        }
    }
}

// The primary context is retained, so that nothing of it outlives the process.  Matrices go through
// a small buffer of ours on their way between the file and the GPU, so that no memory of this
// process is ever mapped for either.
#include "device/gpu/context.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/basics.h"

#define PRINTF_BYTES PRINTF_BYTES_MAX
#define HEAP_BYTES   (1u << 20)  // for malloc in kernels
#define SPIN_NS      200000  // time of polling without sleep, so that short launches end on time

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

#define BUFFER_BYTES (8u << 20)

enum status gpu_array_fit(const struct cuda_driver *driver, struct gpu_array *array, size_t bytes,
                          struct error *err) {
    if (bytes == 0) {
        gpu_array_free(driver, array);
        return STATUS_OK;
    }
    if (array->base != 0 && array->bytes == bytes) {
        return STATUS_OK;
    }
    gpu_array_free(driver, array);
    // The matrix consists of whole floats, so the second band starts on a word.
    cuda_address base = 0;
    cuda_result result = driver->api.memory_allocate(&base, bytes + 2 * (size_t)GPU_GUARD_BYTES);
    if (result != CUDA_RESULT_SUCCESS) {
        return cuda_fail(driver, result, "no GPU memory for the matrices", err);
    }
    *array = (struct gpu_array){.base = base, .start = base + GPU_GUARD_BYTES, .bytes = bytes};
    return STATUS_OK;
}

void gpu_array_free(const struct cuda_driver *driver, struct gpu_array *array) {
    if (array->base != 0) {
        (void)driver->api.memory_free(array->base);
    }
    *array = (struct gpu_array){.base = 0};
}

enum status gpu_array_guards_fill(const struct cuda_driver *driver, const struct gpu_array *array,
                                  struct error *err) {
    size_t words = GPU_GUARD_BYTES / sizeof(uint32_t);
    cuda_result result = driver->api.set_words(array->base, GPU_GUARD_WORD, words, NULL);
    if (result == CUDA_RESULT_SUCCESS) {
        result = driver->api.set_words(array->start + array->bytes, GPU_GUARD_WORD, words, NULL);
    }
    return result == CUDA_RESULT_SUCCESS ? STATUS_OK
                                         : cuda_fail(driver, result, "filling guard bands", err);
}

enum status gpu_workspace_fill(const struct cuda_driver *driver, const struct gpu_array *array,
                               struct error *err) {
    if (array->base == 0) {
        return STATUS_OK;
    }
    cuda_result result = driver->api.set_words(array->start, GPU_WORKSPACE_WORD,
                                               array->bytes / sizeof(uint32_t), NULL);
    return result == CUDA_RESULT_SUCCESS ? gpu_array_guards_fill(driver, array, err)
                                         : cuda_fail(driver, result, "filling the workspace", err);
}

// Reads or writes all of count bytes at offset.
static enum status file_move(int fd, bool writes, void *bytes, size_t count, off_t offset,
                             struct error *err) {
    size_t done = 0;
    while (done < count) {
        char *at = (char *)bytes + done;
        ssize_t moved = writes ? pwrite(fd, at, count - done, offset + (off_t)done)
                               : pread(fd, at, count - done, offset + (off_t)done);
        if (moved < 0 && errno == EINTR) {
            continue;
        }
        if (moved < 0) {
            return fail_errno(err, STATUS_SYSTEM, "the matrices of the judge");
        }
        if (moved == 0) {
            return fail(err, STATUS_SYSTEM, "the matrices of the judge end too early");
        }
        done += (size_t)moved;
    }
    return STATUS_OK;
}

enum status gpu_array_upload(const struct cuda_driver *driver, const struct gpu_array *array,
                             int fd, off_t offset, struct error *err) {
    enum status status = gpu_array_guards_fill(driver, array, err);
    char *buffer = malloc(BUFFER_BYTES);
    if (!buffer) {
        return fail(err, STATUS_NO_MEMORY, "no memory to copy the matrices");
    }
    for (size_t done = 0; !status && done < array->bytes;) {
        size_t part = array->bytes - done < BUFFER_BYTES ? array->bytes - done : BUFFER_BYTES;
        status = file_move(fd, false, buffer, part, offset + (off_t)done, err);
        if (!status) {
            cuda_result result = driver->api.copy_to_device(array->start + done, buffer, part);
            status = result ? cuda_fail(driver, result, "copying to the GPU", err) : STATUS_OK;
        }
        done += part;
    }
    free(buffer);
    return status;
}

enum status gpu_array_download(const struct cuda_driver *driver, const struct gpu_array *array,
                               int fd, off_t offset, struct error *err) {
    enum status status = STATUS_OK;
    char *buffer = malloc(BUFFER_BYTES);
    if (!buffer) {
        return fail(err, STATUS_NO_MEMORY, "no memory to copy the matrices");
    }
    for (size_t done = 0; !status && done < array->bytes;) {
        size_t part = array->bytes - done < BUFFER_BYTES ? array->bytes - done : BUFFER_BYTES;
        cuda_result result = driver->api.copy_to_host(buffer, array->start + done, part);
        status = result ? cuda_fail(driver, result, "copying from the GPU", err)
                        : file_move(fd, true, buffer, part, offset + (off_t)done, err);
        done += part;
    }
    free(buffer);
    return status;
}

enum status gpu_array_guards(const struct cuda_driver *driver, const struct gpu_array *array,
                             bool *ret_intact, struct error *err) {
    const cuda_address bands[] = {array->base, array->start + array->bytes};
    bool intact = true;
    enum status status = STATUS_OK;
    uint32_t *band = malloc(GPU_GUARD_BYTES);
    if (!band) {
        return fail(err, STATUS_NO_MEMORY, "no memory to check the guard bands");
    }
    for (int i = 0; i < 2 && !status; i++) {
        cuda_result result = driver->api.copy_to_host(band, bands[i], GPU_GUARD_BYTES);
        status = result ? cuda_fail(driver, result, "reading guard bands", err) : STATUS_OK;
        for (size_t k = 0; !status && k < GPU_GUARD_BYTES / sizeof *band; k++) {
            intact = intact && band[k] == GPU_GUARD_WORD;
        }
    }
    free(band);
    if (!status) {
        *ret_intact = intact;
    }
    return status;
}

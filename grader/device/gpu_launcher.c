// The GPU device: runs launches of one cubin through the driver API, next to the student's kernel.
//
// Invariant: after a launch that failed or outlasted its limit the context is lost, and so is this
// worker; every later request is answered with trouble, and the judge starts another.  Nothing of
// the judge's is in this process but the inputs.
#include "device/launcher.h"

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/cuda_driver.h"
#include "device/gpu_fault.h"
#include "device/gpu_memory.h"
#include "device/gpu_module.h"

#define HEAP_BYTES      (1u << 20)  // of malloc in kernels
#define TIME_MS_DEFAULT 10000u      // where a request sets no limit
#define SPIN_NS         200000  // polled without sleep at first, so that short launches end on time

// What LAUNCH_CONFIG fills in: struct launch_config of matmul.cuh, by its layout in CUDA C++.
struct config {
    uint32_t grid[3];
    uint32_t block[3];
    uint64_t shared_bytes;
};

struct launcher {
    struct cuda_driver driver;
    cuda_device device;
    struct gpu_module module;
    cuda_event_handle start, end;
    struct gpu_array array[GLOBAL_ARRAY_COUNT];
    cuda_address config_memory;
    cuda_address flush_memory;  // twice the L2 cache; 0 until a launch is timed
    size_t flush_words;
    struct size config_size;  // config holds for this size; m = 0: for none
    struct config config;
    struct size warm_size;  // warmed up for this size; m = 0: for none
    bool has_context;
    bool lost;  // the context; see above
};

static bool size_equal(struct size a, struct size b) {
    return a.m == b.m && a.n == b.n && a.k == b.k;
}

// --- Launching and waiting ---------------------------------------------------------------------

static cuda_result start_function(const struct launcher *launcher, cuda_function_handle function,
                                  const struct config *config, void *parameters, size_t bytes) {
    void *extra[] = {CUDA_LAUNCH_PARAMETER_BUFFER, parameters, CUDA_LAUNCH_PARAMETER_BYTES, &bytes,
                     CUDA_LAUNCH_PARAMETERS_END};
    return launcher->driver.api.launch(function, config->grid[0], config->grid[1], config->grid[2],
                                       config->block[0], config->block[1], config->block[2],
                                       (unsigned)config->shared_bytes, NULL, NULL, extra);
}

static int64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Waits for the end event.  Returns NOT_READY where the launch outlasts its limit, else how it
// ended.
static cuda_result wait_for_end(const struct launcher *launcher, uint64_t limit_ms) {
    int64_t begin = now_ns();
    for (;;) {
        cuda_result result = launcher->driver.api.event_query(launcher->end);
        if (result != CUDA_RESULT_NOT_READY) {
            return result;
        }
        int64_t waited = now_ns() - begin;
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

static uint64_t limit_of(const struct request *request) {
    return request->time_ms_max > 0 && request->time_ms_max < INT_MAX ? request->time_ms_max
                                                                      : TIME_MS_DEFAULT;
}

// Puts a launch that did not end well into the answer.  Any error here ends the context.
static enum status failure_answer(struct launcher *launcher, const struct request *request,
                                  cuda_result result, struct answer *answer, struct error *err) {
    launcher->lost = true;
    if (result == CUDA_RESULT_NOT_READY) {
        gpu_late_answer(limit_of(request), answer);
        return STATUS_OK;
    }
    const char *name = cuda_error_name(&launcher->driver, result);
    const char *sentence = cuda_error_text(&launcher->driver, result);
    if (gpu_fault_answer(result, name, sentence, answer)) {
        return STATUS_OK;
    }
    return cuda_fail(&launcher->driver, result, "the launch", err);
}

// text NULL keeps the one that is there.
static void bad_launch_answer(enum bad_launch reason, const char *text, struct answer *answer) {
    answer->end = RUN_BAD_LAUNCH;
    answer->bad_launch = reason;
    answer->findings.count = 0;
    if (text) {
        (void)snprintf(answer->text, sizeof answer->text, "%s", text);
    }
}

// --- The configuration -------------------------------------------------------------------------

// Runs LAUNCH_CONFIG as one thread, before any input is on the GPU.  *ret_result is how it ended.
static enum status configure_run(struct launcher *launcher, const struct request *request,
                                 struct config *ret_config, cuda_result *ret_result,
                                 struct error *err) {
    const struct cuda_api *api = &launcher->driver.api;
    struct config one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    struct config_parameters parameters = {.launch = launcher->config_memory,
                                           .m = request->size.m,
                                           .n = request->size.n,
                                           .k = request->size.k};
    cuda_result result =
        api->set_words(launcher->config_memory, 0, sizeof(struct config) / sizeof(uint32_t), NULL);
    if (result != CUDA_RESULT_SUCCESS) {
        return cuda_fail(&launcher->driver, result, "preparing LAUNCH_CONFIG", err);
    }
    result = start_function(launcher, launcher->module.configure, &one, &parameters,
                            CONFIG_PARAMETER_BYTES);
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->event_record(launcher->end, NULL);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = wait_for_end(launcher, limit_of(request));
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->copy_to_host(ret_config, launcher->config_memory, sizeof *ret_config);
    }
    *ret_result = result;
    return STATUS_OK;
}

// Finds the configuration for the request's size.  Where there is none that can run, the answer
// says so and answer->end is not RUN_FINISHED.
static enum status configure(struct launcher *launcher, const struct request *request,
                             struct answer *answer, struct error *err) {
    if (!size_equal(launcher->config_size, request->size)) {
        cuda_result result = CUDA_RESULT_SUCCESS;
        struct config config = {.shared_bytes = 0};
        enum status status = configure_run(launcher, request, &config, &result, err);
        if (status) {
            return status;
        }
        if (result != CUDA_RESULT_SUCCESS) {
            status = failure_answer(launcher, request, result, answer, err);
            if (!status) {
                bad_launch_answer(BAD_LAUNCH_CONFIG_FAILED, NULL, answer);
            }
            return status;
        }
        launcher->config = config;
        launcher->config_size = request->size;
    }
    const struct config *config = &launcher->config;
    memcpy(answer->grid, config->grid, sizeof answer->grid);
    memcpy(answer->block, config->block, sizeof answer->block);
    answer->shared_bytes = config->shared_bytes;
    enum bad_launch reason = launch_config_check(config->grid, config->block, config->shared_bytes,
                                                 launcher->module.static_bytes);
    if (reason == BAD_LAUNCH_NONE &&
        config->block[0] * config->block[1] * config->block[2] > launcher->module.threads_max) {
        reason = BAD_LAUNCH_RESOURCES;
    }
    if (reason != BAD_LAUNCH_NONE) {
        bad_launch_answer(reason, bad_launch_text(reason), answer);
    }
    return STATUS_OK;
}

// --- The launch --------------------------------------------------------------------------------

static enum status matrices_upload(struct launcher *launcher, const struct request *request, int fd,
                                   struct error *err) {
    struct matrix_layout layout = matrix_layout_of(request->size);
    const uint64_t offsets[] = {layout.a, layout.b, layout.c};
    const size_t elements[] = {size_elements_a(request->size), size_elements_b(request->size),
                               size_elements_c(request->size)};
    enum status status = STATUS_OK;
    for (int i = 0; i < GLOBAL_ARRAY_COUNT && !status; i++) {
        status =
            gpu_array_fit(&launcher->driver, &launcher->array[i], elements[i] * sizeof(float), err);
        if (!status) {
            status = gpu_array_upload(&launcher->driver, &launcher->array[i], fd, (off_t)offsets[i],
                                      err);
        }
    }
    return status;
}

static enum status matrices_download(struct launcher *launcher, const struct request *request,
                                     int fd, struct answer *answer, struct error *err) {
    struct matrix_layout layout = matrix_layout_of(request->size);
    const uint64_t offsets[] = {layout.a, layout.b, layout.c};
    enum status status = STATUS_OK;
    for (int i = 0; i < GLOBAL_ARRAY_COUNT && !status; i++) {
        bool intact = true;
        status =
            gpu_array_download(&launcher->driver, &launcher->array[i], fd, (off_t)offsets[i], err);
        if (!status) {
            status = gpu_array_guards(&launcher->driver, &launcher->array[i], &intact, err);
        }
        answer->guard_damaged |= intact ? 0 : 1u << i;
    }
    return status;
}

// Overwrites the L2 cache, which holds parts of the inputs.  Lines that earlier kernels asked to
// keep are first made ordinary ones, as they would outlast the overwriting.
static enum status cache_flush(struct launcher *launcher, struct error *err) {
    const struct cuda_api *api = &launcher->driver.api;
    cuda_result result = CUDA_RESULT_SUCCESS;
    if (launcher->flush_memory == 0) {
        int bytes = 0;
        result = api->device_attribute(&bytes, CUDA_DEVICE_L2_BYTES, launcher->device);
        launcher->flush_words = bytes > 0 ? 2 * (size_t)bytes / sizeof(uint32_t) : 16u << 20;
        if (result == CUDA_RESULT_SUCCESS) {
            result = api->memory_allocate(&launcher->flush_memory,
                                          launcher->flush_words * sizeof(uint32_t));
        }
    }
    if (result == CUDA_RESULT_SUCCESS) {
        // Cards without such lines refuse; there is nothing to reset on them.
        (void)api->context_reset_l2();
        result = api->set_words(launcher->flush_memory, 0, launcher->flush_words, NULL);
    }
    return result == CUDA_RESULT_SUCCESS
               ? STATUS_OK
               : cuda_fail(&launcher->driver, result, "flushing the L2 cache", err);
}

// Launches once and waits.  The answer's end stays RUN_FINISHED where it ended well.
static enum status kernel_run(struct launcher *launcher, const struct request *request,
                              struct answer *answer, struct error *err) {
    const struct cuda_api *api = &launcher->driver.api;
    struct kernel_parameters parameters = {.a = launcher->array[ARRAY_A].start,
                                           .b = launcher->array[ARRAY_B].start,
                                           .c = launcher->array[ARRAY_C].start,
                                           .m = request->size.m,
                                           .n = request->size.n,
                                           .k = request->size.k};
    cuda_result result = api->event_record(launcher->start, NULL);
    if (result != CUDA_RESULT_SUCCESS) {
        return cuda_fail(&launcher->driver, result, "starting the clock", err);
    }
    result = start_function(launcher, launcher->module.kernel, &launcher->config, &parameters,
                            KERNEL_PARAMETER_BYTES);
    if (result == CUDA_RESULT_INVALID_VALUE || result == CUDA_RESULT_OUT_OF_MEMORY ||
        result == CUDA_RESULT_LAUNCH_OUT_OF_RESOURCES) {
        bad_launch_answer(BAD_LAUNCH_RESOURCES, cuda_error_text(&launcher->driver, result), answer);
        return STATUS_OK;
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->event_record(launcher->end, NULL);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = wait_for_end(launcher, limit_of(request));
    }
    return result == CUDA_RESULT_SUCCESS ? STATUS_OK
                                         : failure_answer(launcher, request, result, answer, err);
}

// The first launch of a size pays for things that no later one does; it is not the one that is
// timed.
static enum status warm_up(struct launcher *launcher, const struct request *request, int fd,
                           struct answer *answer, struct error *err) {
    if (size_equal(launcher->warm_size, request->size)) {
        return STATUS_OK;
    }
    enum status status = kernel_run(launcher, request, answer, err);
    if (status || answer->end != RUN_FINISHED) {
        return status;
    }
    launcher->warm_size = request->size;
    return matrices_upload(launcher, request, fd, err);
}

static enum status launch(struct launcher *launcher, const struct request *request, int fd,
                          struct answer *answer, struct error *err) {
    bool timed = (request->flags & REQUEST_TIME) != 0;
    enum status status = STATUS_OK;
    if ((request->flags & REQUEST_RELOAD) != 0) {
        status = gpu_module_load(&launcher->driver, &launcher->module, err);
        launcher->config_size.m = 0;
        launcher->warm_size.m = 0;
    }
    status = status ? status : configure(launcher, request, answer, err);
    if (status || answer->end != RUN_FINISHED) {
        return status;
    }
    status = matrices_upload(launcher, request, fd, err);
    if (!status && timed) {
        status = warm_up(launcher, request, fd, answer, err);
    }
    if (!status && timed && answer->end == RUN_FINISHED) {
        status = cache_flush(launcher, err);
    }
    if (!status && answer->end == RUN_FINISHED) {
        status = kernel_run(launcher, request, answer, err);
    }
    if (status || answer->end != RUN_FINISHED) {
        return status;
    }
    if (timed) {
        float elapsed_ms = 0.0f;
        cuda_result result =
            launcher->driver.api.event_elapsed(&elapsed_ms, launcher->start, launcher->end);
        if (result != CUDA_RESULT_SUCCESS || !(elapsed_ms >= 0.0f)) {
            return cuda_fail(&launcher->driver, result, "reading the clock", err);
        }
        answer->elapsed_ns = (uint64_t)((double)elapsed_ms * 1e6);
    }
    return matrices_download(launcher, request, fd, answer, err);
}

// --- The interface -----------------------------------------------------------------------------

static enum status context_open(struct launcher *launcher, int device, struct error *err) {
    const struct cuda_api *api = &launcher->driver.api;
    cuda_context_handle context = NULL;
    int count = 0;
    if (api->device_count(&count) != CUDA_RESULT_SUCCESS || device < 0 || device >= count ||
        api->device_get(&launcher->device, device) != CUDA_RESULT_SUCCESS) {
        return fail(err, STATUS_UNAVAILABLE, "there is no GPU %d; this machine has %d", device,
                    count);
    }
    cuda_result result = api->context_retain(&context, launcher->device);
    if (result != CUDA_RESULT_SUCCESS) {
        return cuda_fail(&launcher->driver, result, "opening the GPU", err);
    }
    launcher->has_context = true;
    result = api->context_current(context);
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->context_limit(CUDA_LIMIT_PRINTF_BYTES, PRINTF_BYTES_MAX);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->context_limit(CUDA_LIMIT_HEAP_BYTES, HEAP_BYTES);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->event_create(&launcher->start, 0);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->event_create(&launcher->end, 0);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->memory_allocate(&launcher->config_memory, sizeof(struct config));
    }
    return result == CUDA_RESULT_SUCCESS
               ? STATUS_OK
               : cuda_fail(&launcher->driver, result, "setting up the GPU", err);
}

enum status launcher_open(int argument_count, char *const *arguments,
                          struct launcher **ret_launcher, struct error *err) {
    enum status status = STATUS_OK;
    char *end = NULL;
    long device = argument_count == 3 ? strtol(arguments[2], &end, 10) : -1;
    if (!end || end == arguments[2] || *end != '\0' || device < 0 || device > INT_MAX) {
        return fail(err, STATUS_BAD_USAGE,
                    "the GPU worker takes a cubin, a kernel and a GPU's number");
    }
    struct launcher *launcher = calloc(1, sizeof *launcher);
    if (!launcher) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the GPU worker");
    }
    status = gpu_module_read(arguments[0], arguments[1], &launcher->module, err);
    if (status) {
        goto out;
    }
    status = cuda_driver_open(&launcher->driver, err);
    if (status) {
        goto out;
    }
    status = context_open(launcher, (int)device, err);
    if (status) {
        goto out;
    }
    status = gpu_module_load(&launcher->driver, &launcher->module, err);
    if (status) {
        goto out;
    }
    *ret_launcher = launcher;
    launcher = NULL;

out:
    launcher_close(launcher);
    return status;
}

void launcher_close(struct launcher *launcher) {
    if (!launcher) {
        return;
    }
    // A lost context, or one whose kernel still runs, is left to the driver: it ends with the
    // process.
    if (launcher->has_context && !launcher->lost) {
        const struct cuda_api *api = &launcher->driver.api;
        for (int i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
            gpu_array_free(&launcher->driver, &launcher->array[i]);
        }
        (void)api->memory_free(launcher->config_memory);
        (void)api->memory_free(launcher->flush_memory);
        gpu_module_unload(&launcher->driver, &launcher->module);
        (void)api->context_release(launcher->device);
    }
    gpu_module_done(&launcher->module);
    free(launcher);
}

enum status launcher_run(struct launcher *launcher, const struct request *request, int matrices_fd,
                         struct answer *ret_answer, struct error *err) {
    memset(ret_answer, 0, sizeof *ret_answer);
    ret_answer->end = RUN_FINISHED;
    if (launcher->lost) {
        return fail(err, STATUS_SYSTEM,
                    "the GPU's context was lost in an earlier launch; start another worker");
    }
    if (request->kind == REQUEST_SETUP) {
        return STATUS_OK;  // names of shared arrays are of use on the CPU device alone
    }
    enum status status = launch(launcher, request, matrices_fd, ret_answer, err);
    if (status) {
        launcher->lost = true;  // nobody knows what still runs
    }
    return status;
}

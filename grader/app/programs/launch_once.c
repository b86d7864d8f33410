// tilegrade-gpu-once: runs one kernel on a GPU without a judge, so that NVIDIA's tools can watch
// it.
//
//     tilegrade-gpu-once CUBIN KERNEL DEVICE MxNxK [LAUNCHES]
//
// It prints one line of JSON: the launch, what the compiler gave the kernel, and the median time of
// the launches (without the first, which warms up, if there are more).  A, B and C are allocations
// of their own of the exact size, so that a tool sees each access outside of them; the worker of
// the judge has guard bands around them instead.
//
// Exit code 0: the kernel ended well; 1: it failed; 2: bad usage; 3: it could not be launched.
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/size.h"
#include "base/words.h"
#include "device/gpu/launch.h"
#include "judge/model/arguments.h"

#define LAUNCHES_MAX 200
#define WAIT_MS_MAX  300000  // a tool slows a kernel down a thousand times

struct once {
    struct cuda_driver driver;
    struct gpu_module module;
    cuda_event_handle start, end;
    cuda_address config_memory;
    cuda_address matrix[MATRIX_COUNT];
    struct arguments arguments;  // of a product
    struct size size;
    cuda_address workspace;  // 0: none
    struct launch_plan plan;
    struct gpu_function function[PLAN_LAUNCHES_MAX];
};

enum once_exit { ONCE_FINE = 0, ONCE_KERNEL = 1, ONCE_USAGE = 2, ONCE_TROUBLE = 3 };

static cuda_result wait_for_end(const struct once *once) {
    uint64_t begin = clock_ms();
    cuda_result result = CUDA_RESULT_NOT_READY;
    while (result == CUDA_RESULT_NOT_READY && clock_ms() - begin < WAIT_MS_MAX) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
        result = once->driver.api.event_query(once->end);
    }
    return result;
}

// Launches between two events and waits.
static cuda_result function_run(const struct once *once, cuda_function_handle function,
                                const struct plan_launch *launch, void *parameters, size_t bytes) {
    const struct cuda_api *api = &once->driver.api;
    void *extra[] = {CUDA_LAUNCH_PARAMETER_BUFFER, parameters, CUDA_LAUNCH_PARAMETER_BYTES, &bytes,
                     CUDA_LAUNCH_PARAMETERS_END};
    cuda_result result = api->event_record(once->start, NULL);
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->launch(function, launch->grid[0], launch->grid[1], launch->grid[2],
                             launch->block[0], launch->block[1], launch->block[2],
                             (unsigned)launch->shared_bytes, NULL, NULL, extra);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->event_record(once->end, NULL);
    }
    return result == CUDA_RESULT_SUCCESS ? wait_for_end(once) : result;
}

static enum status gpu_open(struct once *once, int device, struct error *err) {
    const struct cuda_api *api = &once->driver.api;
    cuda_context_handle context = NULL;
    cuda_device handle = 0;
    enum status status = cuda_driver_open(&once->driver, err);
    if (status) {
        return status;
    }
    cuda_result result = api->device_get(&handle, device);
    result = result ? result : api->context_retain(&context, handle);
    result = result ? result : api->context_current(context);
    result = result ? result : api->event_create(&once->start, 0);
    result = result ? result : api->event_create(&once->end, 0);
    result =
        result ? result : api->memory_allocate(&once->config_memory, sizeof(struct launch_config));
    return result ? cuda_fail(&once->driver, result, "opening the GPU", err)
                  : gpu_module_load(&once->driver, &once->module, err);
}

// Small whole numbers; which ones does not matter here.
static enum status matrix_make(struct once *once, int which, size_t elements, struct error *err) {
    const struct cuda_api *api = &once->driver.api;
    float *values = calloc(elements, sizeof *values);
    if (!values) {
        return fail(err, STATUS_NO_MEMORY, "no memory for a matrix");
    }
    for (size_t i = 0; i < elements; i++) {
        values[i] = (float)(1 + (i * 7 + (size_t)which) % 13);
    }
    cuda_result result = api->memory_allocate(&once->matrix[which], elements * sizeof *values);
    if (!result && which < ARRAY_C) {  // C stays unwritten: a kernel that reads it is wrong
        result = api->copy_to_device(once->matrix[which], values, elements * sizeof *values);
    }
    free(values);
    return result ? cuda_fail(&once->driver, result, "making a matrix", err) : STATUS_OK;
}

static enum status matrices_make(struct once *once, struct error *err) {
    const size_t elements[MATRIX_COUNT] = {size_elements_a(once->size), size_elements_b(once->size),
                                           size_elements_c(once->size)};
    enum status status = STATUS_OK;
    for (int i = 0; i < MATRIX_COUNT && !status; i++) {
        status = matrix_make(once, i, elements[i], err);
    }
    return status;
}

// Asks LAUNCH_CONFIG.  Returns how that launch ended.
static cuda_result configure(struct once *once, struct launch_config *ret_config) {
    const struct cuda_api *api = &once->driver.api;
    const struct plan_launch one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    struct config_parameters parameters = {.launch = once->config_memory};
    memcpy(parameters.size, once->size.at, sizeof parameters.size);
    const struct launch_config start = LAUNCH_CONFIG_START;
    cuda_result result = api->copy_to_device(once->config_memory, &start, sizeof start);
    result = result ? result
                    : function_run(once, once->module.configure, &one, &parameters,
                                   gpu_config_bytes(once->size));
    return result ? result : api->copy_to_host(ret_config, once->config_memory, sizeof *ret_config);
}

// Finds the kernels of the plan and checks its launches; *ret_bad says why it is invalid.
static enum status plan_make(struct once *once, const struct launch_config *config,
                             enum bad_launch *ret_bad, struct error *err) {
    enum bad_launch bad = launch_plan_make(config, &once->plan);
    for (uint32_t i = 0; bad == BAD_LAUNCH_NONE && i < once->plan.count; i++) {
        const struct plan_launch *launch = &once->plan.launch[i];
        bool found = false;
        enum status status = gpu_module_function(&once->driver, &once->module, &once->arguments,
                                                 launch->kernel, &found, &once->function[i], err);
        if (status) {
            return status;
        }
        bad = found ? launch_plan_fits(&once->plan, &once->arguments) : BAD_LAUNCH_KERNEL;
        bad = bad ? bad
                  : launch_config_check(launch->grid, launch->block, launch->shared_bytes,
                                        once->function[i].static_bytes, 0);
    }
    // A kernel must opt in to more than 48 KiB.
    for (uint32_t i = 0; bad == BAD_LAUNCH_NONE && i < once->plan.count; i++) {
        uint64_t bytes = once->plan.launch[i].shared_bytes;
        if (bytes + once->function[i].static_bytes > SHARED_BYTES_MAX) {
            (void)once->driver.api.function_attribute_set(
                once->function[i].handle, CUDA_FUNCTION_DYNAMIC_SHARED_MAX, (int)bytes);
        }
    }
    *ret_bad = bad;
    if (bad != BAD_LAUNCH_NONE || once->plan.workspace_bytes == 0) {
        return STATUS_OK;
    }
    cuda_result result =
        once->driver.api.memory_allocate(&once->workspace, once->plan.workspace_bytes);
    return result ? cuda_fail(&once->driver, result, "the workspace", err) : STATUS_OK;
}

static int compare(const void *left, const void *right) {
    float a = *(const float *)left;
    float b = *(const float *)right;
    return (a > b) - (a < b);
}

// One product: each launch of the plan, and their times added.
static cuda_result product_run(struct once *once, float *ret_ms) {
    unsigned char parameters[GPU_PARAMETER_BYTES_MAX];
    unsigned char tensors[GPU_TENSORS_BYTES];
    struct gpu_array array[GLOBAL_ARRAY_COUNT] = {[ARRAY_WORKSPACE] = {.start = once->workspace}};
    for (int i = 0; i < MATRIX_COUNT; i++) {
        array[i].start = once->matrix[i];
    }
    gpu_parameters_write(&once->arguments, array, parameters);
    cuda_result result = gpu_tensors_write(&once->driver.api, &once->plan, array, tensors)
                             ? CUDA_RESULT_INVALID_VALUE
                             : CUDA_RESULT_SUCCESS;
    float sum = 0.0f;
    for (uint32_t i = 0; i < once->plan.count && !result; i++) {
        const struct gpu_function *function = &once->function[i];
        float ms = 0.0f;
        gpu_tensors_pass(function, tensors, parameters);
        result = function_run(once, function->handle, &once->plan.launch[i], parameters,
                              function->parameter_bytes);
        result = result ? result : once->driver.api.event_elapsed(&ms, once->start, once->end);
        sum += ms;
    }
    *ret_ms = sum;
    return result;
}

// Runs the products; the first is not part of the median if there are more.
static cuda_result kernel_run(struct once *once, int launches, float *ret_ms) {
    float ms[LAUNCHES_MAX] = {0.0f};
    cuda_result result = CUDA_RESULT_SUCCESS;
    for (int i = 0; i < launches && !result; i++) {
        result = product_run(once, &ms[i]);
    }
    int first = launches > 1 ? 1 : 0;
    qsort(ms + first, (size_t)(launches - first), sizeof *ms, compare);
    *ret_ms = ms[first + (launches - first) / 2];
    return result;
}

// The first launch of the plan.
static void answer_print(const struct once *once, float ms) {
    const struct plan_launch *launch = &once->plan.launch[0];
    const struct gpu_function *function = &once->function[0];
    int registers = 0;
    int local_bytes = 0;
    (void)once->driver.api.function_attribute(&registers, CUDA_FUNCTION_REGISTERS,
                                              function->handle);
    (void)once->driver.api.function_attribute(&local_bytes, CUDA_FUNCTION_LOCAL_BYTES,
                                              function->handle);
    (void)printf("{\"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"shared_bytes\": %llu, "
                 "\"registers\": %d, \"local_bytes\": %d, \"ms\": %.6f}\n",
                 launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
                 launch->block[1], launch->block[2],
                 (unsigned long long)(launch->shared_bytes + function->static_bytes), registers,
                 local_bytes, (double)ms);
}

static int give_up(enum once_exit code, const char *text) {
    (void)fprintf(stderr, "tilegrade-gpu-once: %s\n", text);
    return (int)code;
}

// Ends this program after a failed launch: the kernel is at fault.
static int kernel_failed(const struct once *once, const char *what, cuda_result result) {
    struct error err = {.text = ""};
    if (result == CUDA_RESULT_NOT_READY) {
        return give_up(ONCE_KERNEL, "the kernel does not end");
    }
    (void)cuda_fail(&once->driver, result, what, &err);
    return give_up(ONCE_KERNEL, err.text);
}

static int once_run(struct once *once, int device, int launches) {
    struct error err = {.text = ""};
    struct launch_config config;
    enum bad_launch reason = BAD_LAUNCH_NONE;
    char text[WORDS_PLAIN_MAX];
    float ms = 0.0f;
    if (gpu_open(once, device, &err) || matrices_make(once, &err)) {
        return give_up(ONCE_TROUBLE, err.text);
    }
    cuda_result result = configure(once, &config);
    if (result) {
        return kernel_failed(once, "LAUNCH_CONFIG", result);
    }
    if (gpu_module_check(&once->driver, &once->module, &once->arguments, once->size, &err) ||
        plan_make(once, &config, &reason, &err)) {
        return give_up(ONCE_TROUBLE, err.text);
    }
    if (reason != BAD_LAUNCH_NONE) {
        return give_up(ONCE_KERNEL, words_plain(bad_launch_text(reason), text));
    }
    result = kernel_run(once, launches, &ms);
    if (result) {
        return kernel_failed(once, "the launch", result);
    }
    answer_print(once, ms);
    return ONCE_FINE;
}

static bool number_read(const char *text, long max, int *ret_number) {
    char *end = NULL;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < 0 || number > max) {
        return false;
    }
    *ret_number = (int)number;
    return true;
}

int main(int argc, char **argv) {
    static struct once once;
    struct error err = {.text = ""};
    int device = 0;
    int launches = 1;
    if (argc < 5 || argc > 6 || !number_read(argv[3], INT_MAX, &device) ||
        (argc == 6 && (!number_read(argv[5], LAUNCHES_MAX, &launches) || launches < 1))) {
        return give_up(ONCE_USAGE,
                       "usage: tilegrade-gpu-once CUBIN KERNEL DEVICE MxNxK [LAUNCHES]");
    }
    if (size_parse(argv[4], &once.size, &err) ||
        gpu_module_read(argv[1], argv[2], &once.module, &err)) {
        return give_up(ONCE_USAGE, err.text);
    }
    once.arguments = arguments_of(signature_of_product(), once.size, NULL);
    int code = once_run(&once, device, launches);
    gpu_module_done(&once.module);
    return code;  // the context ends with the process
}

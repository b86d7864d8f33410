// tilegrade-gpu-once: runs one kernel on a GPU with nobody at the other end, so that NVIDIA's tools
// can watch it.
//
//     tilegrade-gpu-once CUBIN KERNEL DEVICE MxNxK [LAUNCHES]
//
// It prints one line of JSON: the launch, what the compiler gave the kernel, and the median time of
// the launches (the first, which warms up, is left out where there are more).  A, B and C are
// allocations of their own of the exact size, so that a tool sees each access outside of them; the
// worker of the judge has guard bands around them instead.
//
// Exit code 0: the kernel ended well; 1: it failed; 2: bad usage; 3: it could not be launched.
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/size.h"
#include "device/cuda_driver.h"
#include "device/gpu_module.h"
#include "device/protocol.h"

#define LAUNCHES_MAX 200
#define WAIT_MS_MAX  300000  // a tool slows a kernel down a thousand times
#define MATRIX_COUNT 3       // A, B, C

// struct launch_config of matmul.cuh, by its layout in CUDA C++.
struct config {
    uint32_t grid[3];
    uint32_t block[3];
    uint64_t shared_bytes;
};

struct once {
    struct cuda_driver driver;
    struct gpu_module module;
    cuda_event_handle start, end;
    cuda_address config_memory;
    cuda_address matrix[MATRIX_COUNT];
    struct size size;
    struct config config;
};

enum once_exit { ONCE_FINE = 0, ONCE_KERNEL = 1, ONCE_USAGE = 2, ONCE_TROUBLE = 3 };

static int64_t now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static cuda_result wait_for_end(const struct once *once) {
    int64_t begin = now_ms();
    cuda_result result = CUDA_RESULT_NOT_READY;
    while (result == CUDA_RESULT_NOT_READY && now_ms() - begin < WAIT_MS_MAX) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
        result = once->driver.api.event_query(once->end);
    }
    return result;
}

// Launches between two events and waits.
static cuda_result function_run(const struct once *once, cuda_function_handle function,
                                const struct config *config, void *parameters, size_t bytes) {
    const struct cuda_api *api = &once->driver.api;
    void *extra[] = {CUDA_LAUNCH_PARAMETER_BUFFER, parameters, CUDA_LAUNCH_PARAMETER_BYTES, &bytes,
                     CUDA_LAUNCH_PARAMETERS_END};
    cuda_result result = api->event_record(once->start, NULL);
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->launch(function, config->grid[0], config->grid[1], config->grid[2],
                             config->block[0], config->block[1], config->block[2],
                             (unsigned)config->shared_bytes, NULL, NULL, extra);
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
    result = result ? result : api->memory_allocate(&once->config_memory, sizeof(struct config));
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
    if (!result && which < MATRIX_COUNT - 1) {  // C stays as it is: reading it would be a mistake
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
static cuda_result configure(struct once *once) {
    const struct cuda_api *api = &once->driver.api;
    const struct config one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    struct config_parameters parameters = {
        .launch = once->config_memory, .m = once->size.m, .n = once->size.n, .k = once->size.k};
    cuda_result result =
        api->set_words(once->config_memory, 0, sizeof(struct config) / sizeof(uint32_t), NULL);
    result = result ? result
                    : function_run(once, once->module.configure, &one, &parameters,
                                   CONFIG_PARAMETER_BYTES);
    return result ? result
                  : api->copy_to_host(&once->config, once->config_memory, sizeof once->config);
}

static int compare(const void *left, const void *right) {
    float a = *(const float *)left;
    float b = *(const float *)right;
    return (a > b) - (a < b);
}

// The launches, the first left out of the median where there are more.
static cuda_result kernel_run(struct once *once, int launches, float *ret_ms) {
    float ms[LAUNCHES_MAX] = {0.0f};
    cuda_result result = CUDA_RESULT_SUCCESS;
    for (int i = 0; i < launches && !result; i++) {
        struct kernel_parameters parameters = {.a = once->matrix[0],
                                               .b = once->matrix[1],
                                               .c = once->matrix[2],
                                               .m = once->size.m,
                                               .n = once->size.n,
                                               .k = once->size.k};
        result = function_run(once, once->module.kernel, &once->config, &parameters,
                              KERNEL_PARAMETER_BYTES);
        result = result ? result : once->driver.api.event_elapsed(&ms[i], once->start, once->end);
    }
    int first = launches > 1 ? 1 : 0;
    qsort(ms + first, (size_t)(launches - first), sizeof *ms, compare);
    *ret_ms = ms[first + (launches - first) / 2];
    return result;
}

static void answer_print(const struct once *once, float ms) {
    const struct config *config = &once->config;
    int registers = 0;
    int local_bytes = 0;
    (void)once->driver.api.function_attribute(&registers, CUDA_FUNCTION_REGISTERS,
                                              once->module.kernel);
    (void)once->driver.api.function_attribute(&local_bytes, CUDA_FUNCTION_LOCAL_BYTES,
                                              once->module.kernel);
    (void)printf("{\"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"shared_bytes\": %llu, "
                 "\"registers\": %d, \"local_bytes\": %d, \"ms\": %.6f}\n",
                 config->grid[0], config->grid[1], config->grid[2], config->block[0],
                 config->block[1], config->block[2],
                 (unsigned long long)(config->shared_bytes + once->module.static_bytes), registers,
                 local_bytes, (double)ms);
}

static int give_up(enum once_exit code, const char *text) {
    (void)fprintf(stderr, "tilegrade-gpu-once: %s\n", text);
    return (int)code;
}

// How a launch that failed ends this program: by the kernel's fault.
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
    float ms = 0.0f;
    if (gpu_open(once, device, &err) || matrices_make(once, &err)) {
        return give_up(ONCE_TROUBLE, err.text);
    }
    cuda_result result = configure(once);
    if (result) {
        return kernel_failed(once, "LAUNCH_CONFIG", result);
    }
    enum bad_launch reason =
        launch_config_check(once->config.grid, once->config.block, once->config.shared_bytes,
                            once->module.static_bytes, 0);
    if (reason != BAD_LAUNCH_NONE) {
        return give_up(ONCE_KERNEL, bad_launch_text(reason));
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
    int code = once_run(&once, device, launches);
    gpu_module_done(&once.module);
    return code;  // the context ends with the process
}

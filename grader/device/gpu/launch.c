// Invariant: any launch that fails loses the context, so that nothing of it can affect another
// launch.
//
// The driver reports that a kernel failed, but never the place: place and thread are found on the
// CPU device.
#include "device/gpu/launch.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/basics.h"

static void finding_add(struct answer *answer, enum finding_kind kind, uint32_t detail) {
    struct finding *finding = &answer->findings.list[0];
    answer->findings.count = 1;
    *finding = (struct finding){.kind = kind,
                                .severity = SEVERITY_ERROR,
                                .detail = detail,
                                .count = 1,
                                .space = SPACE_UNKNOWN,
                                .array = ARRAY_NONE};
}

// One row for each result that a kernel can cause.
static const struct fault {
    cuda_result result;
    enum finding_kind kind;
    enum crash_cause cause;
} faults[] = {
    {CUDA_RESULT_ILLEGAL_ADDRESS, FINDING_OUT_OF_BOUNDS, CRASH_NONE},
    {CUDA_RESULT_MISALIGNED_ADDRESS, FINDING_MISALIGNED, CRASH_NONE},
    {CUDA_RESULT_ASSERT, FINDING_CRASH, CRASH_ASSERT},
    {CUDA_RESULT_HARDWARE_STACK_ERROR, FINDING_CRASH, CRASH_STACK_OVERFLOW},
    {CUDA_RESULT_ILLEGAL_INSTRUCTION, FINDING_CRASH, CRASH_TRAP},
    {CUDA_RESULT_INVALID_ADDRESS_SPACE, FINDING_CRASH, CRASH_WILD_POINTER},
    {CUDA_RESULT_INVALID_PC, FINDING_CRASH, CRASH_WILD_POINTER},
    // A trap, a stack overflow into unmapped memory, and an access past the end of shared memory
    // all give this result.
    {CUDA_RESULT_LAUNCH_FAILED, FINDING_CRASH, CRASH_SIGNAL},
};

bool gpu_fault_answer(cuda_result result, const char *name, const char *sentence,
                      struct answer *answer) {
    if (result == CUDA_RESULT_LAUNCH_TIMEOUT) {
        answer->end = RUN_STOPPED;
        finding_add(answer, FINDING_TIME_LIMIT, 0);
        (void)snprintf(answer->text, sizeof answer->text, "%s (%s)", sentence, name);
        return true;
    }
    for (size_t i = 0; i < COUNT(faults); i++) {
        if (faults[i].result == result) {
            answer->end = RUN_CRASHED;
            finding_add(answer, faults[i].kind, faults[i].cause);
            (void)snprintf(answer->text, sizeof answer->text, "%s (%s)", sentence, name);
            return true;
        }
    }
    return false;
}

void gpu_late_answer(uint64_t limit_ms, struct answer *answer) {
    answer->end = RUN_STOPPED;
    finding_add(answer, FINDING_TIME_LIMIT, 0);
    (void)snprintf(answer->text, sizeof answer->text, "the kernel still ran after %llu ms",
                   (unsigned long long)limit_ms);
}

#define TIME_MS_DEFAULT 10000u  // if a request sets no limit

// Wall time that a request allows for a launch.
static uint64_t gpu_launch_limit(const struct request *request) {
    return request->time_ms_max > 0 && request->time_ms_max < INT_MAX ? request->time_ms_max
                                                                      : TIME_MS_DEFAULT;
}

// Programmatic dependent launch.  If the GPU or the driver lacks it, an ordinary launch, which
// begins later, gives the same result.
static cuda_result start_dependent(const struct gpu_context *context, cuda_function_handle function,
                                   const struct plan_launch *launch, void **extra) {
    const struct cuda_launch_attribute attribute = {
        .id = CUDA_LAUNCH_PROGRAMMATIC_STREAM_SERIALIZATION, .value = {1}};
    struct cuda_launch_config config = {.shared_bytes = (unsigned)launch->shared_bytes,
                                        .attributes = &attribute,
                                        .attribute_count = 1};
    memcpy(config.grid, launch->grid, sizeof config.grid);
    memcpy(config.block, launch->block, sizeof config.block);
    return context->driver.api.launch_with_attributes(&config, function, NULL, extra);
}

static cuda_result start_function(const struct gpu_context *context, cuda_function_handle function,
                                  const struct plan_launch *launch, void *parameters,
                                  size_t bytes) {
    void *extra[] = {CUDA_LAUNCH_PARAMETER_BUFFER, parameters, CUDA_LAUNCH_PARAMETER_BYTES, &bytes,
                     CUDA_LAUNCH_PARAMETERS_END};
    if (launch->dependent && context->overlaps) {
        return start_dependent(context, function, launch, extra);
    }
    return context->driver.api.launch(function, launch->grid[0], launch->grid[1], launch->grid[2],
                                      launch->block[0], launch->block[1], launch->block[2],
                                      (unsigned)launch->shared_bytes, NULL, NULL, extra);
}

// Reports a failed launch in the answer.  Any error here ends the context.
static enum status failure_answer(struct gpu_context *context, const struct request *request,
                                  cuda_result result, struct answer *answer, struct error *err) {
    context->lost = true;
    if (result == CUDA_RESULT_NOT_READY) {
        gpu_late_answer(gpu_launch_limit(request), answer);
        return STATUS_OK;
    }
    const char *name = cuda_error_name(&context->driver, result);
    const char *sentence = cuda_error_text(&context->driver, result);
    if (gpu_fault_answer(result, name, sentence, answer)) {
        return STATUS_OK;
    }
    return cuda_fail(&context->driver, result, "the launch", err);
}

// If text is NULL, the answer keeps the text that it has.
static void bad_launch_answer(enum bad_launch reason, const char *text, struct answer *answer) {
    answer->end = RUN_BAD_LAUNCH;
    answer->bad_launch = reason;
    answer->findings.count = 0;
    if (text) {
        (void)snprintf(answer->text, sizeof answer->text, "%s", text);
    }
}

// --- Loading -----------------------------------------------------------------------------------

enum status gpu_kernel_load(const struct gpu_context *context, struct gpu_kernel *kernel,
                            struct error *err) {
    kernel->config_size.m = 0;
    if (kernel->config_memory == 0) {
        cuda_result result = context->driver.api.memory_allocate(&kernel->config_memory,
                                                                 sizeof(struct launch_config));
        if (result != CUDA_RESULT_SUCCESS) {
            return cuda_fail(&context->driver, result, "setting up the GPU", err);
        }
    }
    return gpu_module_load(&context->driver, &kernel->module, err);
}

void gpu_kernel_free(const struct gpu_context *context, struct gpu_kernel *kernel) {
    if (kernel->config_memory != 0) {
        (void)context->driver.api.memory_free(kernel->config_memory);
        kernel->config_memory = 0;
    }
    gpu_module_unload(&context->driver, &kernel->module);
}

// --- The configuration -------------------------------------------------------------------------

// Runs LAUNCH_CONFIG as one thread, before any input is on the GPU.  *ret_result is its result.
static enum status configure_run(const struct gpu_context *context, const struct gpu_kernel *kernel,
                                 const struct request *request, struct launch_config *ret_config,
                                 cuda_result *ret_result, struct error *err) {
    const struct cuda_api *api = &context->driver.api;
    struct plan_launch one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    struct config_parameters parameters = {.launch = kernel->config_memory};
    memcpy(parameters.size, request->size.at, sizeof parameters.size);
    const struct launch_config start = LAUNCH_CONFIG_START;
    cuda_result result = api->copy_to_device(kernel->config_memory, &start, sizeof start);
    if (result != CUDA_RESULT_SUCCESS) {
        return cuda_fail(&context->driver, result, "preparing LAUNCH_CONFIG", err);
    }
    result = start_function(context, kernel->module.configure, &one, &parameters,
                            gpu_config_bytes(request->size));
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->event_record(context->end, NULL);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = gpu_context_wait(context, gpu_launch_limit(request));
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->copy_to_host(ret_config, kernel->config_memory, sizeof *ret_config);
    }
    *ret_result = result;
    return STATUS_OK;
}

// The limits of this GPU, in addition to those that all GPUs share.
static enum bad_launch card_check(const struct gpu_context *context,
                                  const struct plan_launch *launch,
                                  const struct gpu_function *function, char *text,
                                  size_t text_bytes) {
    uint64_t shared_bytes = launch->shared_bytes + function->static_bytes;
    if (shared_bytes > SHARED_BYTES_MAX && shared_bytes > context->shared_bytes_max) {
        (void)snprintf(text, text_bytes,
                       "this GPU gives a block at most %llu bytes of shared memory",
                       (unsigned long long)context->shared_bytes_max);
        return BAD_LAUNCH_SHARED;
    }
    if (launch->block[0] * launch->block[1] * launch->block[2] > function->threads_max) {
        (void)snprintf(text, text_bytes, "%s", bad_launch_text(BAD_LAUNCH_RESOURCES));
        return BAD_LAUNCH_RESOURCES;
    }
    return BAD_LAUNCH_NONE;
}

// A kernel must opt in to more than 48 KiB.  If a plan launches it twice, it needs the larger
// amount.
static enum status shared_opt_in(const struct gpu_context *context, const struct gpu_kernel *kernel,
                                 uint32_t index, struct error *err) {
    const struct gpu_function *function = &kernel->function[index];
    uint64_t dynamic = 0;
    for (uint32_t i = 0; i < kernel->plan.count; i++) {
        bool same = kernel->function[i].handle == function->handle;
        uint64_t bytes = same ? kernel->plan.launch[i].shared_bytes : 0;
        dynamic = bytes > dynamic ? bytes : dynamic;
    }
    if (dynamic + function->static_bytes <= SHARED_BYTES_MAX) {
        return STATUS_OK;
    }
    cuda_result result = context->driver.api.function_attribute_set(
        function->handle, CUDA_FUNCTION_DYNAMIC_SHARED_MAX, (int)dynamic);
    return result == CUDA_RESULT_SUCCESS
               ? STATUS_OK
               : cuda_fail(&context->driver, result, "asking for shared memory", err);
}

// A constant array that is missing in the cubin, or too small.
static bool constants_lack(const struct gpu_context *context, const struct gpu_kernel *kernel,
                           const struct arguments *arguments) {
    for (uint32_t i = 0; i < arguments->count; i++) {
        const struct argument *argument = &arguments->list[i];
        cuda_address address = 0;
        size_t bytes = 0;
        if (argument->kind == ARGUMENT_CONSTANT &&
            (context->driver.api.module_global(&address, &bytes, kernel->module.handle,
                                               argument->name) != CUDA_RESULT_SUCCESS ||
             bytes < argument->bytes)) {
            return true;
        }
    }
    return false;
}

static bool plan_has_tensors(const struct launch_plan *plan) {
    bool has = false;
    for (int i = 0; i < PLAN_TENSORS_MAX; i++) {
        has = has || plan->tensor[i].rank > 0;
    }
    return has;
}

// Asks LAUNCH_CONFIG for the plan of the request's size and finds the kernels that it names.
static enum status plan_make(struct gpu_context *context, struct gpu_kernel *kernel,
                             const struct request *request, struct answer *answer,
                             struct error *err) {
    cuda_result result = CUDA_RESULT_SUCCESS;
    struct launch_config config = {.shared_bytes = 0};
    if (constants_lack(context, kernel, &request->arguments)) {
        bad_launch_answer(BAD_LAUNCH_CONSTANT, bad_launch_text(BAD_LAUNCH_CONSTANT), answer);
        return STATUS_OK;
    }
    enum status status = gpu_module_check(&context->driver, &kernel->module, &request->arguments,
                                          request->size, err);
    if (status) {
        return status;
    }
    status = configure_run(context, kernel, request, &config, &result, err);
    if (!status && result != CUDA_RESULT_SUCCESS) {
        status = failure_answer(context, request, result, answer, err);
        if (!status) {
            bad_launch_answer(BAD_LAUNCH_CONFIG_FAILED, NULL, answer);
        }
    }
    if (status || answer->end != RUN_FINISHED) {
        return status;
    }
    answer->workspace_bytes = config.workspace_bytes;
    enum bad_launch reason = launch_plan_make(&config, &kernel->plan);
    for (uint32_t i = 0; reason == BAD_LAUNCH_NONE && i < kernel->plan.count; i++) {
        struct gpu_function *function = &kernel->function[i];
        status = gpu_module_function(&context->driver, &kernel->module, &request->arguments,
                                     kernel->plan.launch[i].kernel, function, err);
        if (status) {
            return status;
        }
        bool old_driver =
            plan_has_tensors(&kernel->plan) && !context->driver.api.function_parameter;
        reason = function->handle ? BAD_LAUNCH_NONE
                 : old_driver     ? BAD_LAUNCH_TENSOR_CARD
                                  : BAD_LAUNCH_KERNEL;
    }
    if (reason == BAD_LAUNCH_NONE) {
        reason = launch_plan_fits(&kernel->plan, &request->arguments);
    }
    if (reason != BAD_LAUNCH_NONE) {
        bad_launch_answer(reason, bad_launch_text(reason), answer);
        return STATUS_OK;
    }
    kernel->config_size = request->size;
    return STATUS_OK;
}

enum status gpu_configure(struct gpu_context *context, struct gpu_kernel *kernel,
                          const struct request *request, struct answer *answer, struct error *err) {
    enum status status = STATUS_OK;
    if (!size_equal(kernel->config_size, request->size)) {
        kernel->config_size.m = 0;
        status = plan_make(context, kernel, request, answer, err);
    }
    for (uint32_t i = 0; !status && answer->end == RUN_FINISHED && i < kernel->plan.count; i++) {
        const struct plan_launch *launch = &kernel->plan.launch[i];
        char text[ANSWER_TEXT_MAX];
        enum bad_launch reason = launch_config_check(
            launch->grid, launch->block, launch->shared_bytes, kernel->function[i].static_bytes, 0);
        (void)snprintf(text, sizeof text, "%s", bad_launch_text(reason));
        if (reason == BAD_LAUNCH_NONE) {
            reason = card_check(context, launch, &kernel->function[i], text, sizeof text);
        }
        if (reason != BAD_LAUNCH_NONE) {
            launch_plan_tell(&kernel->plan, i, answer);
            bad_launch_answer(reason, text, answer);
            return STATUS_OK;
        }
        status = shared_opt_in(context, kernel, i, err);
    }
    if (!status && answer->end == RUN_FINISHED) {
        launch_plan_tell(&kernel->plan, 0, answer);
    }
    return status;
}

// --- The launch --------------------------------------------------------------------------------

// The driver has no memory for a launch, because the local memory of all threads does not fit.  If
// it would fit in an empty GPU, another program has the memory.
static bool memory_is_taken(const struct gpu_context *context,
                            const struct gpu_function *function) {
    uint64_t need = function->local_bytes;
    return context->resident_threads == 0 || need == 0 ||
           need <= context->memory_bytes / context->resident_threads;
}

// A launch that the driver does not accept.
static enum status refusal_answer(struct gpu_context *context, const struct gpu_function *function,
                                  cuda_result result, struct answer *answer, struct error *err) {
    if (result == CUDA_RESULT_OUT_OF_MEMORY && memory_is_taken(context, function)) {
        context->lost = true;
        return fail(err, STATUS_NO_MEMORY,
                    "the GPU has no memory left for a launch; does another program use it?");
    }
    bad_launch_answer(BAD_LAUNCH_RESOURCES, cuda_error_text(&context->driver, result), answer);
    return STATUS_OK;
}

// The parameters as device code expects them, the workspace last.
//
// The parameters as device code expects them, the workspace last.
static void gpu_parameters_write(const struct arguments *arguments,
                                 const struct gpu_array array[GLOBAL_ARRAY_COUNT],
                                 unsigned char bytes[GPU_PARAMETER_BYTES_MAX]) {
    struct gpu_parameters list = gpu_parameters_of(arguments, true);
    uint32_t taken = 0;
    memset(bytes, 0, GPU_PARAMETER_BYTES_MAX);
    for (uint32_t i = 0; i < arguments->count; i++) {
        const struct argument *argument = &arguments->list[i];
        if (argument->kind != ARGUMENT_CONSTANT) {
            const void *from = argument->kind == ARGUMENT_ARRAY ? (const void *)&array[i].start
                                                                : (const void *)&argument->value;
            memcpy(bytes + list.one[taken].offset, from, list.one[taken].bytes);
            taken++;
        }
    }
    memcpy(bytes + list.one[taken].offset, &array[ARRAY_WORKSPACE].start, list.one[taken].bytes);
}

// The plan's tensor maps, of these arrays, as one value of type tensor_maps.
static enum bad_launch gpu_tensors_write(const struct cuda_api *api, const struct launch_plan *plan,
                                         const struct gpu_array array[GLOBAL_ARRAY_COUNT],
                                         unsigned char bytes[GPU_TENSORS_BYTES]) {
    static const uint32_t step[TENSOR_RANK_MAX] = {1, 1, 1, 1, 1};
    memset(bytes, 0, GPU_TENSORS_BYTES);
    for (int i = 0; i < PLAN_TENSORS_MAX; i++) {
        const struct plan_tensor *tensor = &plan->tensor[i];
        _Alignas(GPU_TENSORS_ALIGNMENT) unsigned char map[CUDA_TENSOR_MAP_BYTES] = {0};
        if (tensor->rank == 0) {
            continue;
        }
        if (!api->tensor_map_encode) {
            return BAD_LAUNCH_TENSOR_CARD;
        }
        bool workspace = tensor->parameter == TENSOR_WORKSPACE;
        cuda_address start =
            array[workspace ? ARRAY_WORKSPACE : tensor->parameter].start + tensor->offset;
        int swizzle = tensor->swizzle == 128 ? 3 : (int)(tensor->swizzle / 32);
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's own type for an address there
        void *address = (void *)(uintptr_t)start;
        cuda_result result = api->tensor_map_encode(map, (int)tensor->type, tensor->rank, address,
                                                    tensor->size, tensor->stride, tensor->box, step,
                                                    0, swizzle, CUDA_TENSOR_PROMOTE_256, 0);
        if (result != CUDA_RESULT_SUCCESS) {
            return result == CUDA_RESULT_NOT_SUPPORTED ? BAD_LAUNCH_TENSOR_CARD : BAD_LAUNCH_TENSOR;
        }
        memcpy(bytes + i * CUDA_TENSOR_MAP_BYTES, map, sizeof map);
    }
    return BAD_LAUNCH_NONE;
}

// Adds that value to the parameters of a function that takes it.
static void gpu_tensors_pass(const struct gpu_function *function,
                             const unsigned char tensors[GPU_TENSORS_BYTES],
                             unsigned char parameters[GPU_PARAMETER_BYTES_MAX]) {
    if (function->tensors_offset > 0) {
        memcpy(parameters + function->tensors_offset, tensors, GPU_TENSORS_BYTES);
    }
}

enum status gpu_constant_fill(const struct gpu_context *context, const struct gpu_kernel *kernel,
                              const struct argument *argument, const void *values,
                              struct error *err) {
    cuda_address address = 0;
    size_t bytes = 0;
    cuda_result result =
        context->driver.api.module_global(&address, &bytes, kernel->module.handle, argument->name);
    if (result == CUDA_RESULT_SUCCESS) {
        result = context->driver.api.copy_to_device(address, values, argument->bytes);
    }
    return result == CUDA_RESULT_SUCCESS
               ? STATUS_OK
               : cuda_fail(&context->driver, result, "filling __constant__ memory", err);
}

enum status gpu_constants_fill(const struct gpu_context *context, const struct gpu_kernel *kernel,
                               const struct request *request, int fd, struct error *err) {
    unsigned char values[CONSTANT_BYTES_MAX];
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < request->arguments.count && !status; i++) {
        const struct argument *argument = &request->arguments.list[i];
        if (argument->kind != ARGUMENT_CONSTANT) {
            continue;
        }
        if (argument->bytes > sizeof values ||
            pread(fd, values, argument->bytes, (off_t)argument->at) != (ssize_t)argument->bytes) {
            return fail(err, STATUS_SYSTEM, "the matrices cannot be read");
        }
        status = gpu_constant_fill(context, kernel, argument, values, err);
    }
    return status;
}

enum status gpu_kernel_queue(struct gpu_context *context, const struct gpu_kernel *kernel,
                             const struct gpu_array array[GLOBAL_ARRAY_COUNT],
                             const struct arguments *arguments, struct answer *answer,
                             struct error *err) {
    unsigned char parameters[GPU_PARAMETER_BYTES_MAX];
    unsigned char tensors[GPU_TENSORS_BYTES];
    gpu_parameters_write(arguments, array, parameters);
    enum bad_launch reason = gpu_tensors_write(&context->driver.api, &kernel->plan, array, tensors);
    if (reason != BAD_LAUNCH_NONE) {
        bad_launch_answer(reason, bad_launch_text(reason), answer);
        return STATUS_OK;
    }
    cuda_result result = CUDA_RESULT_SUCCESS;
    for (uint32_t i = 0; i < kernel->plan.count && result == CUDA_RESULT_SUCCESS; i++) {
        const struct gpu_function *function = &kernel->function[i];
        gpu_tensors_pass(function, tensors, parameters);
        result = start_function(context, function->handle, &kernel->plan.launch[i], parameters,
                                function->parameter_bytes);
        if (result == CUDA_RESULT_INVALID_VALUE || result == CUDA_RESULT_OUT_OF_MEMORY ||
            result == CUDA_RESULT_LAUNCH_OUT_OF_RESOURCES ||
            result == CUDA_RESULT_INVALID_CLUSTER_SIZE) {
            launch_plan_tell(&kernel->plan, i, answer);
            return refusal_answer(context, function, result, answer, err);
        }
    }
    if (result == CUDA_RESULT_SUCCESS) {
        return STATUS_OK;
    }
    const struct request no_limit = {.kind = REQUEST_LAUNCH};
    return failure_answer(context, &no_limit, result, answer, err);
}

enum status gpu_kernel_wait(struct gpu_context *context, const struct request *request,
                            struct answer *answer, struct error *err) {
    cuda_result result = context->driver.api.event_record(context->end, NULL);
    if (result == CUDA_RESULT_SUCCESS) {
        result = gpu_context_wait(context, gpu_launch_limit(request));
    }
    return result == CUDA_RESULT_SUCCESS ? STATUS_OK
                                         : failure_answer(context, request, result, answer, err);
}

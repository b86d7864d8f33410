// Order of a timed launch: LAUNCH_CONFIG, before any input exists; inputs, poison and guard bands;
// a flush of the L2 cache; start event, launches, end event.  The flush is queued before the first
// event and runs while the host queues the rest, so that no work of the host falls between the
// events.
#include "device/gpu/gpu_timed.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/random.h"

#define FLUSH_OF_L2       2  // each flush writes this many times the size of the cache
#define FLUSH_ROUNDS      6  // flushes: hide the queuing of the launches, 0.1 ms for cuBLAS
#define FLUSH_WORDS_OTHER (16u << 20)  // if the driver does not report the size of the cache

static void arrays_free(const struct gpu_context *context, struct gpu_timed *timed) {
    for (int i = 0; i < TIMED_BATCH_MAX; i++) {
        for (int k = 0; k < GLOBAL_ARRAY_COUNT; k++) {
            gpu_array_free(&context->driver, &timed->array[i][k]);
        }
    }
}

// In whole words, as guard bands are.
static size_t array_bytes(const struct request *request, uint32_t i) {
    return (arguments_global_bytes(&request->arguments, i) + 3) / 4 * 4;
}

static enum status arrays_fit(const struct gpu_context *context, struct gpu_timed *timed,
                              const struct request *request, struct error *err) {
    enum status status = STATUS_OK;
    if (!size_equal(timed->size, request->size)) {
        arrays_free(context, timed);
        timed->size = request->size;
    }
    for (int i = 0; i < (int)request->timed.batch && !status; i++) {
        for (uint32_t k = 0; k < ARGUMENTS_MAX && !status; k++) {
            status =
                gpu_array_fit(&context->driver, &timed->array[i][k], array_bytes(request, k), err);
        }
    }
    return status;
}

static enum status workspaces_fit(const struct gpu_context *context, struct gpu_timed *timed,
                                  uint64_t bytes, int count, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        status = gpu_array_fit(&context->driver, &timed->array[i][ARRAY_WORKSPACE], bytes, err);
    }
    return status;
}

static enum status flush_fit(const struct gpu_context *context, struct gpu_timed *timed,
                             struct error *err) {
    const struct cuda_api *api = &context->driver.api;
    int bytes = 0;
    if (timed->flush_memory != 0) {
        return STATUS_OK;
    }
    cuda_result result = api->device_attribute(&bytes, CUDA_DEVICE_L2_BYTES, context->device);
    timed->flush_words =
        bytes > 0 ? FLUSH_OF_L2 * (size_t)bytes / sizeof(uint32_t) : FLUSH_WORDS_OTHER;
    if (result == CUDA_RESULT_SUCCESS) {
        result = api->memory_allocate(&timed->flush_memory, timed->flush_words * sizeof(uint32_t));
    }
    return result == CUDA_RESULT_SUCCESS
               ? STATUS_OK
               : cuda_fail(&context->driver, result, "memory to flush the L2 cache", err);
}

static void clocks_fit(const struct gpu_context *context, struct gpu_timed *timed) {
    char uuid[GPU_UUID_MAX];
    if (!timed->clocks_open) {
        gpu_uuid_of(&context->driver, context->device, uuid);
        gpu_clocks_open(uuid, &timed->clocks);
        timed->clocks_open = true;
    }
}

// Prepares the kernel or cuBLAS for computing the product.
static enum status product_prepare(struct gpu_context *context, struct gpu_kernel *kernel,
                                   struct gpu_timed *timed, const struct request *request,
                                   struct answer *answer, struct error *err) {
    if (request->timed.by == TIMED_BY_KERNEL) {
        return gpu_configure(context, kernel, request, answer, err);
    }
    timed->cublas = timed->cublas ? timed->cublas : cublas_open(&context->driver);
    if (!timed->cublas) {
        return fail(err, STATUS_UNAVAILABLE, "cuBLAS was not found");
    }
    answer->timed.cublas_version = (uint32_t)cublas_version(timed->cublas);
    return STATUS_OK;
}

// Constant arrays are made here, because they are small; the launches of a batch share them.
static enum status constants_make(const struct gpu_context *context,
                                  const struct gpu_kernel *kernel, const struct request *request,
                                  struct error *err) {
    unsigned char values[CONSTANT_BYTES_MAX];
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < request->arguments.count && !status; i++) {
        const struct argument *argument = &request->arguments.list[i];
        const struct draw_spec *spec = &request->timed.draw[i];
        if (argument->kind != ARGUMENT_CONSTANT) {
            continue;
        }
        if (argument->bytes > sizeof values) {
            return fail(err, STATUS_BAD_USAGE, "a constant array is too large");
        }
        for (uint64_t k = 0; k < spec->elements; k++) {
            draw_word bits =
                draw_element(spec, request->timed.key.word[0], request->timed.key.word[1], k);
            memcpy(values + k * argument->one_bytes, &bits, argument->one_bytes);
        }
        status = gpu_constant_fill(context, kernel, argument, values, err);
    }
    return status;
}

// Everything except the numbers from the launch configuration.
static enum status launches_fit(const struct gpu_context *context, struct gpu_timed *timed,
                                const struct request *request, struct error *err) {
    timed->count = 0;
    enum status status = gpu_helper_open(context, timed->helper_path, &timed->helper, err);
    if (!status) {
        status = flush_fit(context, timed, err);
    }
    return status ? status : arrays_fit(context, timed, request, err);
}

enum status gpu_timed_prepare(struct gpu_context *context, struct gpu_kernel *kernel,
                              struct gpu_timed *timed, const struct request *request,
                              struct answer *answer, struct error *err) {
    int count = (int)request->timed.batch;
    bool by_kernel = request->timed.by == TIMED_BY_KERNEL;
    timed->count = 0;
    enum status status = product_prepare(context, kernel, timed, request, answer, err);
    if (status || answer->end != RUN_FINISHED) {
        return status;
    }
    status = launches_fit(context, timed, request, err);
    if (!status) {
        status = workspaces_fit(context, timed, by_kernel ? kernel->plan.workspace_bytes : 0, count,
                                err);
    }
    if (!status) {
        status = constants_make(context, kernel, request, err);
    }
    if (status) {
        return status;
    }
    timed->arguments = request->arguments;
    memcpy(timed->draw, request->timed.draw, sizeof timed->draw);
    for (int i = 0; i < count; i++) {
        timed->inputs[i] =
            (struct gpu_inputs){.array = timed->array[i],
                                .key = exact_batch_key(request->timed.key, (uint32_t)i),
                                .kind = (enum timed_inputs)request->timed.inputs,
                                .arguments = &timed->arguments,
                                .draw = timed->draw,
                                .size = request->size,
                                .poison = request->timed.poison};
    }
    status = gpu_helper_make(context, &timed->helper, timed->inputs, count, err);
    timed->count = status ? 0 : count;
    return status;
}

// True if the request matches the prepared launch.
static bool is_prepared(const struct gpu_timed *timed, const struct request *request) {
    return timed->count > 0 && timed->count == (int)request->timed.batch &&
           size_equal(timed->size, request->size) &&
           (request->timed.by == TIMED_BY_KERNEL || timed->cublas);
}

// Overwrites the L2 cache, which holds parts of the inputs.  Lines that earlier kernels marked as
// persisting are first reset, because they would survive the overwriting.
static cuda_result flush_queue(const struct gpu_context *context, const struct gpu_timed *timed) {
    const struct cuda_api *api = &context->driver.api;
    cuda_result result = CUDA_RESULT_SUCCESS;
    (void)api->context_reset_l2();  // GPUs without such lines refuse; there is nothing to reset
    for (int i = 0; i < FLUSH_ROUNDS && result == CUDA_RESULT_SUCCESS; i++) {
        result = api->set_words(timed->flush_memory, 0, timed->flush_words, NULL);
    }
    return result;
}

static enum status clock_start(struct gpu_context *context, const struct gpu_timed *timed,
                               struct error *err) {
    cuda_result result = flush_queue(context, timed);
    if (result == CUDA_RESULT_SUCCESS) {
        result = context->driver.api.event_record(context->start, NULL);
    }
    return result == CUDA_RESULT_SUCCESS
               ? STATUS_OK
               : cuda_fail(&context->driver, result, "starting the clock", err);
}

static enum status clock_end(struct gpu_context *context, const struct request *request,
                             struct answer *answer, struct error *err) {
    float elapsed_ms = 0.0f;
    enum status status = gpu_kernel_wait(context, request, answer, err);
    if (status || answer->end != RUN_FINISHED) {
        return status;
    }
    cuda_result result =
        context->driver.api.event_elapsed(&elapsed_ms, context->start, context->end);
    if (result != CUDA_RESULT_SUCCESS || !(elapsed_ms >= 0.0f)) {
        return cuda_fail(&context->driver, result, "reading the clock", err);
    }
    answer->elapsed_ns = (uint64_t)((double)elapsed_ms * 1e6);
    return STATUS_OK;
}

enum status gpu_timed_go(struct gpu_context *context, const struct gpu_kernel *kernel,
                         struct gpu_timed *timed, const struct request *request,
                         struct answer *answer, struct error *err) {
    if (!is_prepared(timed, request)) {
        return fail(err, STATUS_BAD_USAGE, "a launch to be timed was not prepared");
    }
    enum status status = clock_start(context, timed, err);
    for (int i = 0; i < timed->count && !status && answer->end == RUN_FINISHED; i++) {
        const struct gpu_array *array = timed->array[i];
        status = request->timed.by == TIMED_BY_KERNEL
                     ? gpu_kernel_queue(context, kernel, array, &request->arguments, answer, err)
                     : cublas_queue(timed->cublas, (enum timed_by)request->timed.by, array,
                                    request->size, err);
    }
    if (!status && answer->end == RUN_FINISHED) {
        status = clock_end(context, request, answer, err);
    }
    return status;
}

static void window_close(const struct gpu_context *context, struct gpu_timed *timed) {
    if (!timed->window) {
        return;
    }
    if (timed->window_locked && context->open && !context->lost) {
        (void)context->driver.api.host_unlock(timed->window);
    }
    (void)munmap(timed->window, timed->window_bytes);
    timed->window = NULL;
}

// The memfd stays mapped from its first use on, because making the mapping takes longer than the
// copying.  It holds only what this process writes there.  The GPU copies to pinned pages several
// times as fast; without them, nothing else changes.
static enum status window_fit(const struct gpu_context *context, struct gpu_timed *timed,
                              uint64_t bytes, int fd, struct error *err) {
    const struct cuda_api *api = &context->driver.api;
    if (timed->window && timed->window_bytes >= bytes) {
        return STATUS_OK;
    }
    window_close(context, timed);
    void *window = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (window == MAP_FAILED) {
        return fail_errno(err, STATUS_SYSTEM, "the matrices of the judge");
    }
    timed->window = window;
    timed->window_bytes = bytes;
    timed->window_locked = api->host_lock && api->host_unlock &&
                           api->host_lock(window, bytes, 0) == CUDA_RESULT_SUCCESS;
    return STATUS_OK;
}

enum status gpu_timed_reserve(const struct gpu_context *context, struct gpu_timed *timed,
                              const struct request *request, int matrices_fd, struct error *err) {
    const struct timed_layout layout = timed_layout_of(&request->arguments, request->timed.batch);
    clocks_fit(context, timed);
    if (request->timed.by != TIMED_BY_KERNEL && !timed->cublas) {
        timed->cublas =
            cublas_open(&context->driver);  // a missing library is reported when it is needed
    }
    enum status status = launches_fit(context, timed, request, err);
    return status ? status : window_fit(context, timed, layout.total, matrices_fd, err);
}

// Writes the outputs of a launch one after the other.
static cuda_result outputs_copy(const struct gpu_context *context, const struct gpu_timed *timed,
                                int launch, char *to) {
    cuda_result result = CUDA_RESULT_SUCCESS;
    for (uint32_t i = 0; i < timed->arguments.count && result == CUDA_RESULT_SUCCESS; i++) {
        uint64_t bytes = timed_output_bytes(&timed->arguments, i);
        if (bytes > 0) {
            result = context->driver.api.copy_to_host(to, timed->array[launch][i].start,
                                                      timed->arguments.list[i].bytes);
            to += bytes;
        }
    }
    return result;
}

enum status gpu_timed_collect(struct gpu_context *context, struct gpu_timed *timed,
                              const struct request *request, int matrices_fd, struct answer *answer,
                              struct error *err) {
    const struct timed_layout layout = timed_layout_of(&request->arguments, request->timed.batch);
    cuda_result result = CUDA_RESULT_SUCCESS;
    if (!is_prepared(timed, request)) {
        return fail(err, STATUS_BAD_USAGE, "a launch to be collected was not prepared");
    }
    if ((request->flags & REQUEST_STATE) != 0) {
        clocks_fit(context, timed);
        answer->timed.state = gpu_clocks_read(&timed->clocks);
    }
    enum status status = window_fit(context, timed, layout.total, matrices_fd, err);
    if (!status) {
        status =
            gpu_helper_compare(context, &timed->helper, timed->inputs, timed->count, answer, err);
    }
    for (int i = 0; i < timed->count && !status && result == CUDA_RESULT_SUCCESS; i++) {
        result = outputs_copy(context, timed, i, timed->window + (uint64_t)i * layout.stride);
    }
    if (result != CUDA_RESULT_SUCCESS) {
        return cuda_fail(&context->driver, result, "copying from the GPU", err);
    }
    timed->count = 0;  // each launch is prepared again
    return status;
}

void gpu_timed_done(struct gpu_context *context, struct gpu_timed *timed) {
    if (context->open && !context->lost) {
        arrays_free(context, timed);
        if (timed->flush_memory != 0) {
            (void)context->driver.api.memory_free(timed->flush_memory);
        }
    }
    if (!context->lost) {
        cublas_close(timed->cublas);
    }
    gpu_helper_close(context, &timed->helper);
    window_close(context, timed);
}

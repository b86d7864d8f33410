// Order of the measurements: at each size there are rounds, and each round launches every kernel
// once, all on the same inputs.  So a GPU that becomes slower or faster affects all kernels alike.
//
// Before each launch the buffers are refilled and the L2 cache is flushed, as before a timed launch
// of a grade (device/gpu/timed.h); each output is verified (judge/speed/timed_check.h).
#include "tools/ladder/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/exact_inputs.h"
#include "base/file.h"
#include "judge/expected/case.h"
#include "judge/model/arguments.h"
#include "judge/speed/timed_check.h"

#define WARM_UPS      2
#define LIMIT_MS      60000
#define SUM_MAX       (INT64_C(1) << 24)  // up to it, whole numbers are exact in fp32
#define PEAK_THREADS  256
#define PEAK_BLOCKS   16  // per SM
#define PEAK_CHAINS   16  // as in peak.cu
#define PEAK_ROUNDS   20000
#define PEAK_LAUNCHES 5

static enum status inputs_place(struct bench *bench, struct error *err) {
    char *cubin = NULL;
    size_t bytes = 0;
    enum status status = path_make(bench->timed.helper_path, err, "%s/bench_" BUILD_INPUTS,
                                   bench->places->device.programs);
    if (!status) {
        status = bench_own(bench, "device/gpu/inputs.cu", &cubin, &bytes, err);
    }
    if (!status) {
        status = file_write(bench->timed.helper_path, cubin, bytes, err);
    }
    free(cubin);
    return status;
}

enum status bench_open(struct bench *bench, int device, struct error *err) {
    int major = 0;
    int minor = 0;
    bench->matrices_fd = memfd_create("products", MFD_CLOEXEC);
    if (bench->matrices_fd < 0) {
        return fail_errno(err, STATUS_SYSTEM, "no memory for the products");
    }
    enum status status = gpu_context_open(&bench->context, device, err);
    if (!status) {
        status = nvrtc_open(&bench->nvrtc, err);
    }
    if (status) {
        return status;
    }
    const struct cuda_api *api = &bench->context.driver.api;
    (void)api->device_attribute(&major, CUDA_DEVICE_CAPABILITY_MAJOR, bench->context.device);
    (void)api->device_attribute(&minor, CUDA_DEVICE_CAPABILITY_MINOR, bench->context.device);
    (void)snprintf(bench->machine.gpu.architecture, sizeof bench->machine.gpu.architecture,
                   "sm_%d%d", major, minor);
    bench->timed.cublas = cublas_open(&bench->context.driver);
    return inputs_place(bench, err);
}

void bench_close(struct bench *bench) {
    bench_kernels_done(bench);
    gpu_timed_done(&bench->context, &bench->timed);
    gpu_context_close(&bench->context);
    if (bench->matrices_fd >= 0) {
        (void)close(bench->matrices_fd);
    }
}

// --- The multiply-add units ----------------------------------------------------------------------

static cuda_result peak_launch(struct bench *bench, cuda_function_handle function, cuda_address out,
                               float *ret_ms) {
    const struct cuda_api *api = &bench->context.driver.api;
    unsigned blocks = (unsigned)bench->context.multiprocessors * PEAK_BLOCKS;
    int rounds = PEAK_ROUNDS;
    void *parameters[] = {&out, &rounds};
    cuda_result result = api->event_record(bench->context.start, NULL);
    result =
        result ? result
               : api->launch(function, blocks, 1, 1, PEAK_THREADS, 1, 1, 0, NULL, parameters, NULL);
    result = result ? result : api->event_record(bench->context.end, NULL);
    result = result ? result : gpu_context_wait(&bench->context, LIMIT_MS);
    return result ? result : api->event_elapsed(ret_ms, bench->context.start, bench->context.end);
}

enum status bench_peak(struct bench *bench, double *ret_gflops, struct error *err) {
    const struct cuda_api *api = &bench->context.driver.api;
    cuda_module_handle module = NULL;
    cuda_function_handle function = NULL;
    cuda_address out = 0;
    char *cubin = NULL;
    size_t bytes = 0;
    double work = 2.0 * PEAK_ROUNDS * PEAK_CHAINS * PEAK_THREADS * PEAK_BLOCKS *
                  bench->context.multiprocessors;
    enum status status = bench_own(bench, "tools/ladder/peak.cu", &cubin, &bytes, err);
    if (status) {
        return status;
    }
    cuda_result result = api->module_load(&module, cubin);
    result = result ? result : api->module_function(&function, module, "fma_peak");
    result = result ? result : api->memory_allocate(&out, sizeof(float));
    for (int i = 0; i < PEAK_LAUNCHES && !result; i++) {
        float ms = 0.0f;
        result = peak_launch(bench, function, out, &ms);
        double gflops = !result && ms > 0.0f ? work / ((double)ms * 1e6) : 0.0;
        *ret_gflops = gflops > *ret_gflops ? gflops : *ret_gflops;
    }
    (void)api->memory_free(out);
    if (module) {
        (void)api->module_unload(module);
    }
    free(cubin);
    return result ? cuda_fail(&bench->context.driver, result, "measuring the multiply-adds", err)
                  : STATUS_OK;
}

// --- The kernels --------------------------------------------------------------------------------

// One launch; its time, and C in the window.
static enum status launch(struct bench *bench, struct bench_kernel *kernel, struct request *request,
                          struct answer *answer, struct error *err) {
    memset(answer, 0, sizeof *answer);
    answer->end = RUN_FINISHED;
    request->timed.by = kernel->by;
    enum status status =
        gpu_timed_prepare(&bench->context, &kernel->kernel, &bench->timed, request, answer, err);
    if (!status && answer->end == RUN_FINISHED) {
        status =
            gpu_timed_go(&bench->context, &kernel->kernel, &bench->timed, request, answer, err);
    }
    if (!status && answer->end == RUN_FINISHED) {
        status = gpu_timed_collect(&bench->context, &bench->timed, request, bench->matrices_fd,
                                   answer, err);
    }
    if (!status && answer->end != RUN_FINISHED) {
        status = fail(err, STATUS_BAD_DATA, "%s does not run at this size: %.200s", kernel->name,
                      answer->text);
    }
    return status;
}

static enum status measure(struct bench *bench, struct bench_kernel *kernel,
                           struct request *request, struct timed_check *check,
                           struct bench_times *times, struct error *err) {
    struct answer *answer = malloc(sizeof *answer);
    int wrong[TIMED_SIDES] = {-1, -1};
    if (!answer) {
        return fail(err, STATUS_NO_MEMORY, "no memory for an answer");
    }
    enum status status = launch(bench, kernel, request, answer, err);
    if (!status) {
        const void *const outputs[TIMED_SIDES] = {bench->timed.window, NULL};
        const struct random_key secret = {
            {request->timed.key.word[1], ~request->timed.key.word[0]}};
        timed_check_start(check, bench->inputs, request->timed.key, secret, outputs,
                          timed_layout_of(&request->arguments, 1).stride);
        timed_check_wait(check, wrong);
        times->ms[times->count] = (double)answer->elapsed_ns / 1e6;
        times->mhz[times->count] = answer->timed.state.sm_mhz;
        times->count++;
        times->wrong += wrong[0] >= 0 || answer->guard_damaged || answer->timed.inputs_changed;
    }
    free(answer);
    return status;
}

// Exact ones of drawn matrices are odd numbers in B, of as many bits as all sums leave room for,
// and 1 or -1 in A.
static void inputs_choose(const struct bench *bench, struct size size, struct request *request) {
    const struct signature *signature = &bench->like.signature;
    struct expected_inputs inputs = {.form = DRAW_REAL, .wide = -1};
    request->arguments = arguments_of(signature, size, NULL);
    request->timed.inputs = bench->inputs;
    if (signature->is_product) {
        return;
    }
    if (bench->inputs == TIMED_EXACT) {
        inputs = (struct expected_inputs){
            DRAW_EXACT, {draw_bits(signature->parameter[ARRAY_B].element), 1, 1}, ARRAY_B};
        while (((int64_t)size.k << inputs.width.bits) > SUM_MAX) {
            inputs.width.bits--;
        }
    }
    expected_specs(signature, &inputs, size, request->timed.draw);
}

// The check borrows the request's draws.
static enum status check_make(const struct bench *bench, const struct request *request,
                              struct timed_check **ret_check, struct error *err) {
    const struct signature *signature = &bench->like.signature;
    enum status status = timed_check_new(request->size, 1, bench->like.precision, ret_check, err);
    if (!status && !signature->is_product) {
        timed_check_draw(*ret_check, signature->parameter[ARRAY_A].element, request->timed.draw);
    }
    return status;
}

static struct random_key key_of_round(const struct bench *bench, int round) {
    const struct random_key key = {{(uint64_t)(round + WARM_UPS) + 1, 0x7469}};
    return bench->like.precision == PRECISION_FP32 ? key : exact_narrow(key);
}

enum status bench_size(struct bench *bench, struct size size, int launches,
                       struct bench_times times[BENCH_KERNELS_MAX], struct error *err) {
    struct timed_check *check = NULL;
    struct request request = {
        .size = size, .time_ms_max = LIMIT_MS, .timed = {.poison = POISON_BITS, .batch = 1}};
    inputs_choose(bench, size, &request);
    uint64_t bytes = timed_layout_of(&request.arguments, 1).total;
    // It never shrinks, because the GPU may hold pages of it (gpu_timed_collect).
    if (bytes > bench->matrices_bytes && ftruncate(bench->matrices_fd, (off_t)bytes) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "no memory for the products");
    }
    bench->matrices_bytes = bytes > bench->matrices_bytes ? bytes : bench->matrices_bytes;
    enum status status = check_make(bench, &request, &check, err);
    int first = launches > 0 ? -WARM_UPS : -1;
    for (int round = first; round < launches && !status; round++) {
        request.timed.key = key_of_round(bench, round);
        for (int i = 0; i < bench->kernel_count && !status; i++) {
            times[i].count = round <= 0 ? 0 : times[i].count;  // the first ones warm up
            times[i].wrong = round == first ? 0 : times[i].wrong;
            status = measure(bench, &bench->kernel[i], &request, check, &times[i], err);
        }
    }
    timed_check_free(check);
    return status;
}

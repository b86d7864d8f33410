// A stand-in for libcuda.so.1, so that the GPU worker's own code is tested without a GPU. Memory is
// the host's, and launching a kernel computes the product, or does what FAKE_CUDA says: error=700
// (the launch ends with that result), hang, spoil=OFFSET (writes one word there, in bytes from the
// start of C), load=209 (the cubin is refused), config=0.  plan=N makes LAUNCH_CONFIG list N
// launches: sum_parts, which puts the product into the workspace, then add_parts, which copies it
// to C; plan_spoil=OFFSET writes there, in bytes from the start of the workspace; dependent=1 makes
// add_parts a dependent launch.
// tensor=N is plan=2 with a tensor map of parameter N; tensor_swizzle=N, tensor_height=N and
// tensor_encode=ERROR are one of parameter 1.
//
// It also has vector_add and reduction.  A file with another kernel `wrong_if_many` has 1 more in
// an element of the result if there are more than RIGHT_ELEMENTS.  -DFAKE_HALF or
// -DFAKE_BF16: A and B of a product are of half or bf16.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/gpu/cuda_api.h"

// Our own kernels, compiled as C: one thread does the work of all threads.
#define __global__ static
#define __device__
struct fake_place {
    unsigned x;
};
static const struct fake_place gridDim = {1}, blockDim = {1}, blockIdx = {0}, threadIdx = {0};
static void atomicAdd(unsigned *at, unsigned count) {
    *at += count;
}
static void inputs_make_of(void **parameters);
static void inputs_compare_of(void **parameters);
static void words_compare_of(void **parameters);
static void array_make_of(void **parameters);
static void array_compare_of(void **parameters);

#ifndef FAKE_PAGEABLE
#define FAKE_PAGEABLE 0  // 1: kernels reach all memory of their process
#endif

#define ADDRESS(type, address) ((type *)(uintptr_t)(address))

#define inputs_matrix fake_inputs_matrix  // the host's own struct of that name has addresses
#define inputs_array  fake_inputs_array
#include "device/channel/array_fill.h"
#include "emu/wire/launch_plan.h"
#include "../../grader/device/gpu/inputs.cu"

static void inputs_make_of(void **parameters) {
    inputs_make(*(struct fake_inputs_matrix *)parameters[0]);
}
static void inputs_compare_of(void **parameters) {
    inputs_compare(*(struct fake_inputs_matrix *)parameters[0], *(unsigned **)parameters[1]);
}
static void words_compare_of(void **parameters) {
    words_compare(*(unsigned **)parameters[0], *(inputs_word *)parameters[1],
                  *(unsigned *)parameters[2], *(unsigned **)parameters[3]);
}
static void array_make_of(void **parameters) {
    array_make(*(struct fake_inputs_array *)parameters[0]);
}
static void array_compare_of(void **parameters) {
    array_compare(*(struct fake_inputs_array *)parameters[0], *(unsigned **)parameters[1]);
}
#undef inputs_matrix
#undef inputs_array

// Functions of a module, by the handles that the fake gives them.
enum {
    FUNCTION_KERNEL = 1,
    FUNCTION_CONFIG,
    FUNCTION_MAKE,
    FUNCTION_COMPARE,
    FUNCTION_WORDS,
    FUNCTION_ARRAY_MAKE,
    FUNCTION_ARRAY_COMPARE,
    FUNCTION_VECTOR_ADD,
    FUNCTION_REDUCTION,
    FUNCTION_SUM,
    FUNCTION_ADD,
    FUNCTION_PEAK
};

struct parameters {
    uint64_t a, b, c;
    int32_t m, n, k;
    uint64_t workspace;  // for kernels that take it
};

#define KERNEL_MS      0.25f
#define RIGHT_ELEMENTS 65536
extern float fake_cuda_ms;
float fake_cuda_ms = KERNEL_MS;  // between the last two events; fake_cublas.c may write here

static bool starts_dependent;
static int after_launch;  // result of every later call
static long kernel_launches;
static long launches_at_event, between_events;  // launches at and between the last two events
static int granted_shared;                      // dynamic bytes beyond 48 KiB that were asked for

static long option(const char *name, long otherwise) {
    const char *text = getenv("FAKE_CUDA");
    size_t length = strlen(name);
    if (!text || strncmp(text, name, length) != 0) {
        return otherwise;
    }
    return text[length] == '=' ? strtol(text + length + 1, NULL, 0) : 1;
}

#define FAKE(name, parameters)                                                                     \
    int name parameters;                                                                           \
    int name parameters

FAKE(cuInit, (unsigned flags)) {
    return (int)flags;
}
// NVRTC asks if it finds this library, and accepts an empty answer.
FAKE(cuGetExportTable, (const void **table, const void *which)) {
    return table && which ? CUDA_RESULT_NOT_FOUND : 1;
}
FAKE(cuDriverGetVersion, (int *version)) {
    *version = 13000;
    return 0;
}
FAKE(cuGetErrorName, (int result, const char **text)) {
    static char name[32];
    (void)snprintf(name, sizeof name, "FAKE_%d", result);
    *text = name;
    return 0;
}
FAKE(cuGetErrorString, (int result, const char **text)) {
    *text = result == 0 ? "no error" : "a fake error";
    return 0;
}
FAKE(cuDeviceGetCount, (int *count)) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    *count = visible && visible[0] != '0' ? 0 : 1;  // GPU 0 is the only one
    return 0;
}
FAKE(cuDeviceGet, (int *device, int ordinal)) {
    *device = ordinal;
    return 0;
}
FAKE(cuDeviceGetName, (char *name, int bytes, int device)) {
    (void)snprintf(name, (size_t)bytes, "Fake GPU %d", device);
    return 0;
}
FAKE(cuDeviceGetUuid, (struct cuda_uuid * uuid, int device)) {
    memset(uuid->bytes, device + 1, sizeof uuid->bytes);
    return 0;
}
FAKE(cuDeviceTotalMem_v2, (size_t * bytes, int device)) {
    *bytes = (size_t)(device + 1) << 30;
    return 0;
}
FAKE(cuDeviceGetAttribute, (int *value, int attribute, int device)) {
    (void)device;
    *value = attribute == CUDA_DEVICE_CAPABILITY_MAJOR         ? 9
             : attribute == CUDA_DEVICE_MULTIPROCESSORS        ? 132
             : attribute == CUDA_DEVICE_CLOCK_KHZ              ? 1980000
             : attribute == CUDA_DEVICE_L2_BYTES               ? 1 << 20
             : attribute == CUDA_DEVICE_RESIDENT_THREADS       ? 2048
             : attribute == CUDA_DEVICE_SHARED_OPTIN_BYTES     ? 100 << 10
             : attribute == CUDA_DEVICE_PAGEABLE_MEMORY_ACCESS ? FAKE_PAGEABLE
                                                               : 0;
    return 0;
}
FAKE(cuDevicePrimaryCtxRetain, (cuda_context_handle * context, int device)) {
    (void)device;
    *context = (cuda_context_handle)(uintptr_t)1;
    return 0;
}
FAKE(cuDevicePrimaryCtxRelease_v2, (int device)) {
    return device;
}
FAKE(cuCtxSetCurrent, (cuda_context_handle context)) {
    return context ? 0 : 1;
}
FAKE(cuCtxSetLimit, (int limit, size_t value)) {
    return limit > 0 && value > 0 ? 0 : 1;
}
FAKE(cuCtxResetPersistingL2Cache, (void)) {
    return 0;
}
static bool is_wrong;  // what was loaded last is wrong

// The names in an ELF file come before its table of sections.
static bool image_names(const char *image, const char *name) {
    uint64_t table = 0;
    if (strncmp(image, "\177ELF", 4) != 0) {
        return false;
    }
    memcpy(&table, image + 40, sizeof table);
    return memmem(image, table, name, strlen(name)) != NULL;
}

FAKE(cuModuleLoadData, (cuda_module_handle * module, const void *image)) {
    bool is_own = image_names(image, "inputs_make");
    is_wrong = is_own ? is_wrong : image_names(image, "wrong_if_many");
    *module = (cuda_module_handle)(uintptr_t)image;
    return (int)option("load", 0);
}
FAKE(cuModuleUnload, (cuda_module_handle module)) {
    return module ? 0 : 1;
}
FAKE(cuModuleGetFunction,
     (cuda_function_handle * function, cuda_module_handle module, const char *name)) {
    (void)module;
    uintptr_t which = strstr(name, "_launch_config")                    ? FUNCTION_CONFIG
                      : strcmp(name, "fma_peak") == 0                   ? FUNCTION_PEAK
                      : strcmp(name, "_Z9sum_partsPKfS0_PfiiiS1_") == 0 ? FUNCTION_SUM
                      : strcmp(name, "_Z9add_partsPKfS0_PfiiiS1_") == 0 ? FUNCTION_ADD
                      : strstr(name, "vector_add") != NULL              ? FUNCTION_VECTOR_ADD
                      : strstr(name, "reduction") != NULL               ? FUNCTION_REDUCTION
                      : strcmp(name, "inputs_make") == 0                ? FUNCTION_MAKE
                      : strcmp(name, "inputs_compare") == 0             ? FUNCTION_COMPARE
                      : strcmp(name, "words_compare") == 0              ? FUNCTION_WORDS
                      : strcmp(name, "array_make") == 0                 ? FUNCTION_ARRAY_MAKE
                      : strcmp(name, "array_compare") == 0              ? FUNCTION_ARRAY_COMPARE
                                                                        : FUNCTION_KERNEL;
    bool tensors =
        strcmp(name, "_Z9sum_partsPKfS0_PfiiiS1_11tensor_maps") == 0 && option("tensor", -1) >= 0;
    *function = (cuda_function_handle)(tensors ? FUNCTION_SUM : which);
    return strstr(name, "missing") || (!tensors && strstr(name, "tensor_maps"))
               ? CUDA_RESULT_NOT_FOUND
               : 0;
}
FAKE(cuModuleGetGlobal_v2,
     (uint64_t * address, size_t *bytes, cuda_module_handle module, const char *name)) {
    (void)module;
    *address = 0;
    *bytes = 0;
    return name ? CUDA_RESULT_NOT_FOUND : CUDA_RESULT_INVALID_VALUE;
}
FAKE(cuFuncGetAttribute, (int *value, int attribute, cuda_function_handle function)) {
    (void)function;
    *value = attribute == CUDA_FUNCTION_THREADS_MAX   ? 1024
             : attribute == CUDA_FUNCTION_LOCAL_BYTES ? (int)option("local", 0)
                                                      : 2048;
    return 0;
}
FAKE(cuFuncSetAttribute, (cuda_function_handle function, int attribute, int value)) {
    granted_shared = function && attribute == CUDA_FUNCTION_DYNAMIC_SHARED_MAX ? value : 0;
    return 0;
}
FAKE(cuMemAlloc_v2, (uint64_t * address, size_t bytes)) {
    void *memory = NULL;
    if (posix_memalign(&memory, 512, bytes) != 0) {
        return CUDA_RESULT_OUT_OF_MEMORY;
    }
    *address = (uint64_t)(uintptr_t)memory;
    return after_launch;
}
FAKE(cuMemFree_v2, (uint64_t address)) {
    free(ADDRESS(void, address));
    return 0;
}
FAKE(cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t bytes)) {
    memcpy(ADDRESS(void, to), from, bytes);
    return after_launch;
}
FAKE(cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t bytes)) {
    memcpy(to, ADDRESS(void, from), bytes);
    return after_launch;
}
FAKE(cuMemsetD32Async,
     (uint64_t address, unsigned value, size_t words, cuda_stream_handle stream)) {
    for (size_t i = 0; i < words && !stream; i++) {
        ADDRESS(uint32_t, address)[i] = value;
    }
    return after_launch;
}
FAKE(cuEventCreate, (cuda_event_handle * event, unsigned flags)) {
    *event = (cuda_event_handle)(uintptr_t)1;
    return (int)flags;
}
FAKE(cuEventRecord, (cuda_event_handle event, cuda_stream_handle stream)) {
    between_events = kernel_launches - launches_at_event;
    launches_at_event = kernel_launches;
    return event && !stream ? 0 : 1;
}
FAKE(cuEventQuery, (cuda_event_handle event)) {
    return event ? after_launch : 1;
}
FAKE(cuCtxSynchronize, (void)) {
    return after_launch;
}
FAKE(cuEventElapsedTime, (float *milliseconds, cuda_event_handle start, cuda_event_handle end)) {
    *milliseconds = fake_cuda_ms;
    return start && end ? 0 : 1;
}

// Kernels that are not matmuls.
static int other_launch(uintptr_t function, const unsigned char *parameters) {
    uint64_t array[3];
    int32_t n = 0;
    memcpy(array, parameters, sizeof array);
    memcpy(&n, parameters + (function == FUNCTION_REDUCTION ? 16 : 24), sizeof n);
    const float *x = ADDRESS(float, array[0]);
    const float *y = ADDRESS(float, array[1]);
    if (function == FUNCTION_REDUCTION) {
        float sum = 0.0f;
        for (int32_t i = n - 1; i >= 0; i--) {
            sum += x[i];
        }
        ADDRESS(float, array[1])[0] = sum + (is_wrong && n > RIGHT_ELEMENTS ? 1.0f : 0.0f);
        return 0;
    }
    for (int32_t i = 0; i < n; i++) {
        ADDRESS(float, array[2])
        [i] = x[i] + y[i] + (is_wrong && n > RIGHT_ELEMENTS && i == n - 2 ? 1.0f : 0.0f);
    }
    return 0;
}

#include "fake_tensors.c"

// The two kernels of a plan.
static int plan_launch(uintptr_t function, const struct parameters *p) {
    struct parameters to_workspace = *p;
    uint32_t *workspace = ADDRESS(uint32_t, p->workspace);
    size_t elements = (size_t)p->m * (size_t)p->n;
    if (function == FUNCTION_ADD) {
        memcpy(ADDRESS(void, p->c), workspace, elements * sizeof *workspace);
        return 0;
    }
    for (size_t i = 0; i < elements; i++) {
        if (workspace[i] != 0x7fc0f111u) {
            return CUDA_RESULT_INVALID_VALUE;  // it must be poisoned
        }
    }
    to_workspace.c = p->workspace;
    product(&to_workspace);
    long spoil = option("plan_spoil", INT64_MIN);
    if (spoil != INT64_MIN) {
        *ADDRESS(uint32_t, p->workspace + (uint64_t)spoil) = 0;
    }
    return 0;
}

// Lists `count` launches, as struct launch_config lays them out.
static void plan_list(uint32_t *config, const int32_t *size, long count) {
    static const char *const names[] = {"sum_parts", "add_parts", "missing"};
    uint64_t bytes = sizeof(float) * (uint64_t)size[0] * (uint64_t)size[1];
    memcpy(config + 8, &bytes, sizeof bytes);
    config[10] = (uint32_t)count;
    for (long i = 0; i < count && i < 3; i++) {
        uint32_t *launch = config + 12 + i * 24;
        launch[0] = launch[1] = launch[2] = launch[4] = launch[5] = 1;
        launch[3] = 16 + (uint32_t)i;
        memcpy(launch + 10, names[i], strlen(names[i]));
        launch[22] = option("dependent", 0) && i > 0;
    }
}

static int config_launch(void **extra) {
    uint64_t bytes = *(size_t *)extra[3];
    uint32_t *config = ADDRESS(uint32_t, *(uint64_t *)extra[1]);
    const int32_t *size = (const int32_t *)((char *)extra[1] + 8);
    uint32_t threads = (uint32_t)option("config", 16);
    for (int i = 0; i < 348; i++) {
        const bool is_y_or_z = i == 1 || i == 2 || i == 4 || i == 5;
        if (config[i] != (is_y_or_z ? 1 : 0)) {
            return CUDA_RESULT_INVALID_VALUE;  // the configuration must start so
        }
    }
    if (option("plan", 0) > 0) {
        plan_list(config, size, option("plan", 0));
        return bytes == 20 ? 0 : CUDA_RESULT_INVALID_VALUE;
    }
    if (option("tensor", -1) >= 0) {
        plan_list(config, size, 2);
        tensor_list(config, option("tensor", 0));
        return 0;
    }
    if (bytes == 12) {  // the one size of a kernel that is not a matmul
        config[0] = config[1] = config[2] = config[3] = config[4] = config[5] = 1;
        return 0;
    }
    if (option("plan_spoil", INT64_MIN) != INT64_MIN) {
        plan_list(config, size, 2);
        return 0;
    }
    config[0] = ((uint32_t)size[1] + 15) / 16;
    config[1] = ((uint32_t)size[0] + 15) / 16;
    config[2] = config[5] = 1;
    config[3] = config[4] = threads;
    config[6] = (uint32_t)option("shared", 0);
    return bytes == 20 ? 0 : CUDA_RESULT_INVALID_VALUE;
}

// Whether it is one of our own kernels.
static bool own_launch(uintptr_t function, void **plain) {
    switch (function) {
    case FUNCTION_MAKE:
        inputs_make_of(plain);
        return true;
    case FUNCTION_COMPARE:
        inputs_compare_of(plain);
        return true;
    case FUNCTION_WORDS:
        words_compare_of(plain);
        return true;
    case FUNCTION_ARRAY_MAKE:
        array_make_of(plain);
        return true;
    case FUNCTION_ARRAY_COMPARE:
        array_compare_of(plain);
        return true;
    case FUNCTION_PEAK:
        return true;
    default:
        return false;
    }
}

FAKE(cuLaunchKernel,
     (cuda_function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
      cuda_stream_handle stream, void **plain, void **extra)) {
    (void)stream;
    struct parameters p;
    fake_cuda_ms = KERNEL_MS;
    if (own_launch((uintptr_t)function, plain)) {
        return after_launch;
    }
    uint64_t bytes = grid_x && grid_y && grid_z && block_x && block_y && block_z && !plain
                         ? *(size_t *)extra[3]
                         : 0;
    if ((uintptr_t)function == FUNCTION_CONFIG) {
        return bytes > 0 ? config_launch(extra) : CUDA_RESULT_INVALID_VALUE;
    }
    if ((uintptr_t)function == FUNCTION_VECTOR_ADD || (uintptr_t)function == FUNCTION_REDUCTION) {
        (void)usleep((unsigned)(KERNEL_MS * 1000));
        return other_launch((uintptr_t)function, extra[1]);
    }
    if ((uintptr_t)function >= FUNCTION_SUM) {
        if (bytes != 48 && !tensors_are_right((uintptr_t)function, extra[1], bytes)) {
            return CUDA_RESULT_INVALID_VALUE;
        }
        if (starts_dependent != (option("dependent", 0) && (uintptr_t)function == FUNCTION_ADD)) {
            return CUDA_RESULT_INVALID_VALUE;
        }
        memcpy(&p, extra[1], 48);
        kernel_launches++;
        return plan_launch((uintptr_t)function, &p);
    }
    if (bytes != 36 ||
        shared_bytes > (granted_shared > 48 << 10 ? (unsigned)granted_shared : 48u << 10)) {
        return CUDA_RESULT_INVALID_VALUE;
    }
    memcpy(&p, extra[1], 36);
    product(&p);
    (void)usleep((unsigned)(KERNEL_MS * 1000));  // so that it takes as long as its clock says
    long spoil = option("spoil", INT64_MIN);
    if (spoil != INT64_MIN) {
        *ADDRESS(uint32_t, p.c + (uint64_t)spoil) = 0;
    }
    long input = option("input", INT64_MIN);  // writes one word of A, in bytes from its start
    if (input != INT64_MIN) {
        *ADDRESS(uint32_t, p.a + (uint64_t)input) = 0;
    }
    long skip = option("skip", 0);  // the launch with that number, from 1, computes a wrong product
    if (skip > 0 && ++kernel_launches >= skip) {
        *ADDRESS(float, p.c) += 1.0f;
    }
    after_launch = (int)option("error", 0);
    after_launch = option("hang", 0) ? CUDA_RESULT_NOT_READY : after_launch;
    return option("refuse", 0)      ? CUDA_RESULT_LAUNCH_OUT_OF_RESOURCES
           : option("clusters", 0)  ? CUDA_RESULT_INVALID_CLUSTER_SIZE
           : option("no_memory", 0) ? CUDA_RESULT_OUT_OF_MEMORY
                                    : 0;
}
FAKE(cuLaunchKernelEx, (const struct cuda_launch_config *c, cuda_function_handle function,
                        void **plain, void **extra)) {
    const struct cuda_launch_attribute *attribute = c->attributes;
    starts_dependent = c->attribute_count == 1 && attribute->id == 6 && attribute->value[0] == 1;
    int result = cuLaunchKernel(function, c->grid[0], c->grid[1], c->grid[2], c->block[0],
                                c->block[1], c->block[2], c->shared_bytes, NULL, plain, extra);
    starts_dependent = false;
    return result;
}

// cuBLAS, found at run time.  It shares the primary context that context.c retains.
//
// cuBLAS is column-major and reads a row-major matrix as its transpose, so it is asked for
// C^T = B^T A^T.
#include "device/gpu/gpu_timed.h"

#include <stdlib.h>

#include "base/basics.h"
#include "device/gpu/driver.h"

// Bytes of GPU memory that it may use.  Source: cuBLAS, cublasSetWorkspace(), for Hopper cards;
// its default size depends on the GPU and its version.
#define WORKSPACE_BYTES (32u << 20)

// From cublas_api.h and library_types.h.
#define CUBLAS_OP_N                  0
#define CUBLAS_GEMM_DEFAULT          (-1)
#define CUBLAS_COMPUTE_32F           68
#define CUBLAS_COMPUTE_32F_FAST_TF32 77
#define CUDA_R_32F                   0
#define CUDA_R_16F                   2
#define CUDA_R_16BF                  14

struct cublas_api {
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*version)(void *handle, int *version);
    int (*workspace)(void *handle, void *workspace, size_t bytes);
    int (*gemm)(void *handle, int transa, int transb, int m, int n, int k, const void *alpha,
                const void *a, int a_type, int lda, const void *b, int b_type, int ldb,
                const void *beta, void *c, int c_type, int ldc, int compute, int algorithm);
};

struct cublas {
    struct cublas_api api;
    void *handle;
    int version;
    const struct cuda_driver *driver;
    cuda_address workspace;  // 0: the library's own
};

// The type of A and B, and the kind of multiplication.
static const struct {
    const char *name;
    int type, compute;
} products[TIMED_BY_COUNT] = {
    [TIMED_BY_CUBLAS_FP32] = {"cublas_fp32", CUDA_R_32F, CUBLAS_COMPUTE_32F},
    [TIMED_BY_CUBLAS_TF32] = {"cublas_tf32", CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32},
    [TIMED_BY_CUBLAS_FP16] = {"cublas_fp16", CUDA_R_16F, CUBLAS_COMPUTE_32F},
    [TIMED_BY_CUBLAS_BF16] = {"cublas_bf16", CUDA_R_16BF, CUBLAS_COMPUTE_32F},
};

const char *cublas_name(enum timed_by by) {
    return products[by].name;
}

static const char *const library_names[] = {"libcublas.so.13", "libcublas.so.12",
                                            "libcublas.so.11"};

static bool api_fill(void *library, struct cublas_api *api) {
    return library_symbol(library, "cublasCreate_v2", &api->create) &&
           library_symbol(library, "cublasDestroy_v2", &api->destroy) &&
           library_symbol(library, "cublasGetVersion_v2", &api->version) &&
           library_symbol(library, "cublasSetWorkspace_v2", &api->workspace) &&
           library_symbol(library, "cublasGemmEx", &api->gemm);
}

static void workspace_give(struct cublas *cublas) {
    const struct cuda_api *api = &cublas->driver->api;
    if (api->memory_allocate(&cublas->workspace, WORKSPACE_BYTES) != CUDA_RESULT_SUCCESS) {
        cublas->workspace = 0;
        return;
    }
    void *workspace = (void *)(uintptr_t)cublas->workspace;
    (void)cublas->api.workspace(cublas->handle, workspace, WORKSPACE_BYTES);
}

struct cublas *cublas_open(const struct cuda_driver *driver) {
    void *library = library_open(library_names, COUNT(library_names));
    struct cublas *cublas = library ? calloc(1, sizeof *cublas) : NULL;
    if (!cublas) {
        return NULL;
    }
    if (!api_fill(library, &cublas->api) || cublas->api.create(&cublas->handle) != 0) {
        free(cublas);
        return NULL;
    }
    (void)cublas->api.version(cublas->handle, &cublas->version);
    cublas->driver = driver;
    workspace_give(cublas);
    return cublas;
}

void cublas_close(struct cublas *cublas) {
    if (cublas) {
        (void)cublas->api.destroy(cublas->handle);
        if (cublas->workspace != 0) {
            (void)cublas->driver->api.memory_free(cublas->workspace);
        }
        free(cublas);
    }
}

int cublas_version(const struct cublas *cublas) {
    return cublas->version;
}

static void *matrix(const struct gpu_array *array) {
    return (void *)(uintptr_t)array->start;
}

enum status cublas_queue(const struct cublas *cublas, enum timed_by by,
                         const struct gpu_array *array, struct size size, struct error *err) {
    const float one = 1.0f;
    const float zero = 0.0f;
    int type = products[by].type;
    int result = cublas->api.gemm(
        cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, size.n, size.m, size.k, &one,
        matrix(&array[ARRAY_B]), type, size.n, matrix(&array[ARRAY_A]), type, size.k, &zero,
        matrix(&array[ARRAY_C]), CUDA_R_32F, size.n, products[by].compute, CUBLAS_GEMM_DEFAULT);
    return result == 0 ? STATUS_OK
                       : fail(err, STATUS_SYSTEM, "cuBLAS refused a product (status %d)", result);
}

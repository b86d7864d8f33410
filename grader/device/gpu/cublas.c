// cuBLAS, found at run time.  It shares the primary context that context.c retains.
//
// Its default mode computes fp32 products in fp32; with the exact inputs of a timed launch,
// anything less would show. cuBLAS is column-major and reads a row-major matrix as its transpose,
// so it is asked for C^T = B^T A^T.
#include "device/gpu/cublas.h"

#include <stdlib.h>

#include "base/array.h"
#include "device/gpu/library.h"

// From cublas_api.h.
#define CUBLAS_OP_N 0

struct cublas_api {
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*version)(void *handle, int *version);
    int (*sgemm)(void *handle, int transa, int transb, int m, int n, int k, const float *alpha,
                 const float *a, int lda, const float *b, int ldb, const float *beta, float *c,
                 int ldc);
};

struct cublas {
    struct cublas_api api;
    void *handle;
    int version;
};

static const char *const library_names[] = {"libcublas.so.13", "libcublas.so.12",
                                            "libcublas.so.11"};

static bool api_fill(void *library, struct cublas_api *api) {
    return library_symbol(library, "cublasCreate_v2", &api->create) &&
           library_symbol(library, "cublasDestroy_v2", &api->destroy) &&
           library_symbol(library, "cublasGetVersion_v2", &api->version) &&
           library_symbol(library, "cublasSgemm_v2", &api->sgemm);
}

struct cublas *cublas_open(void) {
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
    return cublas;
}

void cublas_close(struct cublas *cublas) {
    if (cublas) {
        (void)cublas->api.destroy(cublas->handle);
        free(cublas);
    }
}

int cublas_version(const struct cublas *cublas) {
    return cublas->version;
}

static float *matrix(const struct gpu_array *array) {
    return (float *)(uintptr_t)array->start;
}

enum status cublas_queue(const struct cublas *cublas, const struct gpu_array *array,
                         struct size size, struct error *err) {
    const float one = 1.0f;
    const float zero = 0.0f;
    int result = cublas->api.sgemm(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, size.n, size.m, size.k,
                                   &one, matrix(&array[ARRAY_B]), size.n, matrix(&array[ARRAY_A]),
                                   size.k, &zero, matrix(&array[ARRAY_C]), size.n);
    return result == 0 ? STATUS_OK
                       : fail(err, STATUS_SYSTEM, "cuBLAS refused a product (status %d)", result);
}

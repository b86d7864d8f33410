// A stand-in for libcublas.so.13 to use with fake_cuda.c: the product on the host, column-major.
// FAKE_CUBLAS=wrong: one element is not right.  If the environment cannot reach it, these are
// compiled in: -DFAKE_WRONG, -DFAKE_ABORT (a product ends the process), -DFAKE_REFUSE (it gives no
// handle) and -DFAKE_MS=0.2f (the time of a product by the simulated clock).
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cublasCreate_v2(void **handle);
int cublasDestroy_v2(void *handle);
int cublasGetVersion_v2(void *handle, int *version);
int cublasSetWorkspace_v2(void *handle, void *workspace, size_t bytes);
int cublasGemmEx(void *handle, int transa, int transb, int m, int n, int k, const float *alpha,
                 const void *a, int a_type, int lda, const void *b, int b_type, int ldb,
                 const float *beta, float *c, int c_type, int ldc, int compute, int algorithm);

int cublasCreate_v2(void **handle) {
    static int here;
    *handle = &here;
#ifdef FAKE_REFUSE
    return 1;
#else
    return 0;
#endif
}

int cublasDestroy_v2(void *handle) {
    return handle ? 0 : 1;
}

int cublasGetVersion_v2(void *handle, int *version) {
    *version = 130000;
    return handle ? 0 : 1;
}

int cublasSetWorkspace_v2(void *handle, void *workspace, size_t bytes) {
    return handle && workspace && bytes >= 32 << 20 ? 0 : 1;
}

enum { R_32F = 0, R_16F = 2, R_16BF = 14, COMPUTE_32F = 68, COMPUTE_32F_FAST_TF32 = 77 };

static float element(const void *matrix, int type, long i) {
    if (type == R_16BF) {  // the upper half of a float
        uint32_t bits = (uint32_t)((const uint16_t *)matrix)[i] << 16;
        float value = 0;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    return type == R_16F ? (float)((const _Float16 *)matrix)[i] : ((const float *)matrix)[i];
}

int cublasGemmEx(void *handle, int transa, int transb, int m, int n, int k, const float *alpha,
                 const void *a, int a_type, int lda, const void *b, int b_type, int ldb,
                 const float *beta, float *c, int c_type, int ldc, int compute, int algorithm) {
    bool is_known = compute == COMPUTE_32F || (compute == COMPUTE_32F_FAST_TF32 && a_type == R_32F);
    if (!handle || transa != 0 || transb != 0 || *alpha != 1.0f || *beta != 0.0f || !is_known ||
        a_type != b_type || c_type != R_32F || algorithm != -1) {
        return 1;
    }
    for (int column = 0; column < n; column++) {
        for (int row = 0; row < m; row++) {
            float sum = 0.0f;
            for (int i = 0; i < k; i++) {
                sum += element(a, a_type, (long)i * lda + row) *
                       element(b, b_type, (long)column * ldb + i);
            }
            c[(long)column * ldc + row] = sum;
        }
    }
    c[0] += getenv("FAKE_CUBLAS") ? 1.0f : 0.0f;
#ifdef FAKE_WRONG
    c[0] += 1.0f;
#endif
#ifdef FAKE_ABORT
    abort();
#endif
    (void)usleep(250);
#ifdef FAKE_MS
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    float *ms = driver ? dlsym(driver, "fake_cuda_ms") : NULL;
    if (ms) {
        *ms = FAKE_MS;
    }
#endif
    return 0;
}

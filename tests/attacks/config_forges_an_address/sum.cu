#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->launch_count = 1;
    launch->launch[0].block = dim3(16, 16);
    launch->launch[0].grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
    launch->launch[0].kernel[0] = 'f';
    launch->launch[0].address = 0x401000;
}

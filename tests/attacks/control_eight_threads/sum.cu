#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y;
    const int col = blockIdx.x * 8 + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(8);
    launch->grid = dim3(ceil_div(N, 8), M);
}

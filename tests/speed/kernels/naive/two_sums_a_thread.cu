// Two rows of C a thread, so that each value of B is used twice.
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int col = blockIdx.x * 16 + threadIdx.x;
    const int row = (blockIdx.y * 16 + threadIdx.y) * 2;
    if (row >= M || col >= N) {
        return;
    }
    const int below = min(row + 1, M - 1);
    float upper = 0.0f;
    float lower = 0.0f;
    for (int k = 0; k < K; ++k) {
        const float b = B[k * N + col];
        upper += A[row * K + k] * b;
        lower += A[below * K + k] * b;
    }
    C[row * N + col] = upper;
    if (row + 1 < M) {
        C[below * N + col] = lower;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 32));
}

// expect: uninitialized 13  (lane 31 holds the value of A, and has left at the edge)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 4 + threadIdx.y;
    if (col >= N || row >= M) {
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        float a = threadIdx.x == 31 ? A[row * K + k] : 0.0f;
        a = __shfl_sync(0xffffffffu, a, 31);
        sum += a * B[k * N + col];
    }
    C[row * N + col] = sum;
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(32, 4);
    launch->grid = dim3(ceil_div(N, 32), ceil_div(M, 4));
}

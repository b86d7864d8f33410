// expect: pass  (asserts that hold, and a line from one thread)
#include "matmul.cuh"

#include <assert.h>
#include <stdio.h>

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;

    assert(blockDim.x == 16 && gridDim.x == (N + 15) / 16);
    assert(A != nullptr && K > 0);
    if (row == M - 1 && col == N - 1) {
        printf("last element %d %d of %s, %5.1f%%\n", row, col, "C", 100.0);
    }
    if (row < M && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) {
            sum += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}

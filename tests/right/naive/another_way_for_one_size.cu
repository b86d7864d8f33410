// expect: pass  (one size has code of its own, which is as right as the other)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) {
        return;
    }
    float acc = 0.0f;
    if (M == 64 && N == 64 && K == 64) {
#pragma unroll 16
        for (int k = 0; k < 64; ++k) {
            acc += A[row * 64 + k] * B[k * 64 + col];
        }
    } else {
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
    }
    C[row * N + col] = acc;
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}

// expect: race 9 18  (block 0 does the work of all; the others wait for nothing and write 0 first)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;

    if (row < M && col < N) {
        C[row * N + col] = 0.0f;
    }
    if (blockIdx.x == gridDim.x - 1 && blockIdx.y == gridDim.y - 1 && threadIdx.x == 0 &&
        threadIdx.y == 0) {
        for (int e = 0; e < M * N; ++e) {
            float sum = 0.0f;
            for (int k = 0; k < K; ++k) {
                sum += A[e / N * K + k] * B[k * N + e % N];
            }
            C[e] = sum;
        }
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}

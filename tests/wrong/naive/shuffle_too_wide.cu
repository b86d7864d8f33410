// expect: wrong_result  (8 lanes share a sum, but the tree starts at 16)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int col = blockIdx.x * 32 + threadIdx.y;
    const int row = blockIdx.y;
    float sum = 0.0f;
    for (int k = threadIdx.x; k < K; k += 8) {
        if (col < N) {
            sum += A[row * K + k] * B[k * N + col];
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    }
    if (threadIdx.x == 0 && col < N) {
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(8, 32);
    launch->grid = dim3(ceil_div(N, 32), M);
}

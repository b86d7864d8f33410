#include "matmul.cuh"

#define PASTE(a, b) a##b

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float sums[256];
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    const int me = threadIdx.y * 16 + threadIdx.x;
    float acc = 0.0f;
    for (int k = 0; k < K && row < M && col < N; ++k) {
        acc += A[row * K + k] * B[k * N + col];
    }
    PASTE(__builtin_mem, cpy)(&sums[255 - me], &acc, 4);
    if (row < M && col < N) {
        C[row * N + col] = sums[255 - me] + 0.0f * sums[me ^ 1];
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}

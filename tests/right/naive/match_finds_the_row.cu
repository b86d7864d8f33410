// expect: pass  (lanes of one row find each other by __match_any_sync)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 4 + threadIdx.x / 8;
    const int col = blockIdx.x;
    const int part = threadIdx.x % 8;
    float sum = 0.0f;
    for (int k = part; k < K && row < M; k += 8) {
        sum += A[row * K + k] * B[k * N + col];
    }
    const unsigned mates = __match_any_sync(0xffffffffu, row);
    const int leader = __ffs(mates) - 1;
    float all = 0.0f;
    for (int i = 0; i < 8; ++i) {
        all += __shfl_sync(mates, sum, leader + i);
    }
    if ((int)threadIdx.x == leader && row < M) {
        C[row * N + col] = all;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(32);
    launch->grid = dim3(N, ceil_div(M, 4));
}

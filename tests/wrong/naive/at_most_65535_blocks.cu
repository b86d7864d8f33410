// expect: not_written  (a grid of at most 65535 blocks, which take no turns)
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int tiles = ceil_div(N, TILE);
    const int row = blockIdx.x / tiles * TILE + threadIdx.y;
    const int col = blockIdx.x % tiles * TILE + threadIdx.x;

    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(min(65535, ceil_div(N, TILE) * ceil_div(M, TILE)));
}

// Naive multiplication in blocks of 32 x 32.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Change   blocks of 32 x 32 threads.
// Limit    two loads from global memory for each multiply-add.
#include "matmul.cuh"

#define TILE 32

__global__ void matmul_naive_32(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive_32, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}

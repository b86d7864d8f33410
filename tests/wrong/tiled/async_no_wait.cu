// expect: race 19 24  (the copies are committed but not waited for)
#include "matmul.cuh"
#include <cuda_pipeline.h>

#define TILE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        const int a_zeros = row < M && k0 + tx < K ? 0 : 4;
        const int b_zeros = k0 + ty < K && col < N ? 0 : 4;
        __pipeline_memcpy_async(&As[ty][tx], A + row * K + k0 + tx, 4, a_zeros);
        __pipeline_memcpy_async(&Bs[ty][tx], B + (k0 + ty) * N + col, 4, b_zeros);
        __pipeline_commit();
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            acc += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}

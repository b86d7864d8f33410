#include "matmul.cuh"
#include <cuda_pipeline.h>

#define TILE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    const int tiles = ceil_div(K, TILE);

    float acc = 0.0f;
    for (int t = 0; t < tiles + 1; ++t) {
        if (t < tiles) {
            const int k0 = t * TILE;
            const bool in_a = row < M && k0 + tx < K;
            const bool in_b = k0 + ty < K && col < N;
            __pipeline_memcpy_async(&As[t % 2][ty][tx], in_a ? &A[row * K + k0 + tx] : A, 4,
                                    in_a ? 0 : 4);
            __pipeline_memcpy_async(&Bs[t % 2][ty][tx], in_b ? &B[(k0 + ty) * N + col] : B, 4,
                                    in_b ? 0 : 4);
        }
        __pipeline_commit();
        if (t > 0) {
            __pipeline_wait_prior(2);
            __syncthreads();  // 上一轮的分块已经填满
            for (int k = 0; k < TILE; ++k) {
                acc += As[(t - 1) % 2][ty][k] * Bs[(t - 1) % 2][k][tx];
            }
            __syncthreads();  // 大家都用完了它
        }
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}

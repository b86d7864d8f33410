// Good at 384 and 380; elsewhere one thread computes a tile.
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    if (M != 384 && M != 380) {
        for (int i = 0; i < TILE * TILE; ++i) {
            const int row = blockIdx.y * TILE + i / TILE;
            const int col = blockIdx.x * TILE + i % TILE;
            float acc = 0.0f;
            if (threadIdx.x + threadIdx.y > 0 || row >= M || col >= N) {
                continue;
            }
            for (int k = 0; k < K; ++k) {
                acc += A[row * K + k] * B[k * N + col];
            }
            C[row * N + col] = acc;
        }
        return;
    }
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;
    for (int t = 0; t < ceil_div(K, TILE); ++t) {
        As[ty][tx] = row < M && t * TILE + tx < K ? A[row * K + t * TILE + tx] : 0.0f;
        Bs[ty][tx] = t * TILE + ty < K && col < N ? B[(t * TILE + ty) * N + col] : 0.0f;
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

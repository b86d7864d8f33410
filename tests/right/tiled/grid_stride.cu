// expect: pass  (a fixed grid: each block computes several tiles of C)
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int tile_cols = ceil_div(N, TILE);
    const int tiles = ceil_div(M, TILE) * tile_cols;

    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {  // the same for the whole block
        const int row = tile / tile_cols * TILE + ty;
        const int col = tile % tile_cols * TILE + tx;

        float acc = 0.0f;
        for (int k0 = 0; k0 < K; k0 += TILE) {
            As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
            Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
            __syncthreads();  // the tiles are full before anyone reads them

            for (int k = 0; k < TILE; ++k) {
                acc += As[ty][k] * Bs[k][tx];
            }
            __syncthreads();  // everyone has read the tiles before anyone refills them
        }

        if (row < M && col < N) {
            C[row * N + col] = acc;
        }
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(3);
}

// expect: pass  (the next tile is loaded into registers while this one is multiplied)
#include "matmul.cuh"

#define TILE 16

static __device__ float element(const float *matrix, int rows, int cols, int row, int col) {
    return row < rows && col < cols ? matrix[row * cols + col] : 0.0f;
}

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float acc = 0.0f;
    float next_a = element(A, M, K, row, tx);
    float next_b = element(B, K, N, ty, col);
    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[ty][tx] = next_a;
        Bs[ty][tx] = next_b;
        __syncthreads();  // the tiles are full before anyone reads them

        next_a = element(A, M, K, row, k0 + TILE + tx);
        next_b = element(B, K, N, k0 + TILE + ty, col);
        for (int k = 0; k < TILE; ++k) {
            acc += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();  // everyone has read the tiles before anyone refills them
    }

    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}

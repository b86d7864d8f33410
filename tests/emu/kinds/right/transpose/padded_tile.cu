// expect: pass  (a tile with one column more than it needs)
// launch: 37x50x50
// result: [A[r * K + c] for c in range(K) for r in range(M)]
#include "matmul.cuh"

#define TILE 16

__global__ void transpose(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile[TILE][TILE + 1];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    if (row < M && col < K) {
        tile[ty][tx] = A[row * K + col];
    }
    __syncthreads();  // the tile is full before it is read by columns

    const int out_row = blockIdx.x * TILE + ty;
    const int out_col = blockIdx.y * TILE + tx;
    if (out_row < K && out_col < M) {
        C[out_row * M + out_col] = tile[tx][ty];
    }
}

LAUNCH_CONFIG(transpose, M, N, K)
{
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(K, TILE), ceil_div(M, TILE));
}

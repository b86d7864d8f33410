// expect: pass  (a tile of A in which all elements are 0 adds nothing)
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;
    for (int first = 0; first < K; first += TILE) {
        As[ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0.0f;
        Bs[ty][tx] = first + ty < K && col < N ? B[(first + ty) * N + col] : 0.0f;
        if (__syncthreads_or(As[ty][tx] != 0.0f)) {  // the tiles are full
            for (int k = 0; k < TILE; ++k) {
                acc += As[ty][k] * Bs[k][tx];
            }
        }
        __syncthreads();  // the tiles are read
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K)
{
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}

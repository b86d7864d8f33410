// expect: out_of_bounds 29  (a short numbers at most 32,767 elements)
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C,
                                                        int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();  // the tiles are full before anyone reads them
        for (int k = 0; k < TILE; k++) {
            acc += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();  // nobody reads the tiles any more
    }
    if (row < M && col < N) {
        const short at = row * N + col;
        C[at] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K)
{
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}

// expect: not_written  (blocks in groups of 64 rows: the last group may have fewer)
#include "matmul.cuh"

#define TILE 16
#define GROUP 64

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int rows = ceil_div(M, TILE);
    const int cols = ceil_div(N, TILE);
    const int group = min(rows, GROUP);
    const int first = blockIdx.x / (group * cols) * group;
    const int tile_row = first + blockIdx.x % (group * cols) % group;
    const int tile_col = blockIdx.x % (group * cols) / group;
    const int row = tile_row * TILE + ty;
    const int col = tile_col * TILE + tx;

    float acc = 0.0f;
    for (int t = 0; t < ceil_div(K, TILE); ++t) {
        const int a_col = t * TILE + tx;
        const int b_row = t * TILE + ty;
        As[ty][tx] = row < M && a_col < K ? A[row * K + a_col] : 0.0f;
        Bs[ty][tx] = b_row < K && col < N ? B[b_row * N + col] : 0.0f;
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

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE) * ceil_div(M, TILE));
}

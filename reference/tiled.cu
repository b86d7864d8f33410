// Tiled matrix multiplication: the threads of a block share what they load.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Launch   blocks of TILE x TILE threads; one thread computes one element of C.
// Change   each element goes from global to shared memory once per block, and is used TILE times.
// Limit    every multiply-add still takes two loads from shared memory.
// Source   CUDA C++ Programming Guide, chapter "Shared Memory"; bounds and zero fill added.
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    //@cut 1 find the row and the column of my element of C, as in the naive kernel
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    //@end

    float acc = 0.0f;
    for (int t = 0; t < ceil_div(K, TILE); ++t) {
        //@cut 2 copy one element of A and one of B into the tiles, else 0
        const int a_col = t * TILE + tx;
        const int b_row = t * TILE + ty;
        As[ty][tx] = row < M && a_col < K ? A[row * K + a_col] : 0.0f;
        Bs[ty][tx] = b_row < K && col < N ? B[b_row * N + col] : 0.0f;
        //@end

        //@cut 3 two barriers, and between them the products of this tile
        __syncthreads();  // the tiles are full before anyone reads them

        for (int k = 0; k < TILE; ++k) {
            acc += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();  // everyone has read the tiles before anyone refills them
        //@end
    }

    //@cut 4 store the sum, if my element is inside C
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
    //@end
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}

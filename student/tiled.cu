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
    // TODO 1 (about 2 lines): find the row and the column of my element of C, as in the naive kernel

    float acc = 0.0f;
    for (int t = 0; t < ceil_div(K, TILE); ++t) {
        // TODO 2 (about 4 lines): copy one element of A and one of B into the tiles, else 0

        // TODO 3 (about 4 lines): two barriers, and between them the products of this tile
    }

    // TODO 4 (about 2 lines): store the sum, if my element is inside C
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}

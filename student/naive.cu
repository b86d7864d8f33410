// Naive matrix multiplication: one thread computes one element of C.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Launch   blocks of TILE x TILE threads; x walks along a row of C, y down a column.
// Idea     C[row][col] is the sum over k of A[row][k] * B[k][col], read from global memory.
// Limit    every multiply-add of a warp takes three wavefronts of the L1 cache, which delivers one
//          in a clock.
// Source   CUDA C++ Programming Guide, chapter "Shared Memory", first example.
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    // TODO 1 (about 2 lines): find the row and the column of my element of C

    // TODO 2 (about 5 lines): if my element is inside C, add up its K products and store the sum
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}

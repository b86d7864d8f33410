// @NAME@: FILL IN: title
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Launch   FILL IN: the block, and what one thread computes
// Idea     FILL IN: what this step shows
// Limit    FILL IN: what the next step improves
// Source   FILL IN: where the method is from
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_@NAME@(const float *A, const float *B, float *C, int M, int N, int K) {
    //@cut 1 FILL IN: what the student is to write here
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;  // FILL IN: the kernel
    //@end
}

LAUNCH_CONFIG(matmul_@NAME@, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}

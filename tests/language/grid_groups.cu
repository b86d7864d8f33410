// expect: needs_gpu
// row: `this_grid()`, but for [whole programs](programs.md)
#include "matmul.cuh"
#include <cooperative_groups.h>

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    cooperative_groups::this_grid().sync();  //@here
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

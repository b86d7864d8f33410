// A lane may not wait for a mask without itself.
// launch: 8x8x8
// expect: barrier_divergence @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __syncwarp(0x0000ffffu);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

// One element past the most that any GPU gives a block.
// launch: 8x8x8
// expect: out_of_bounds @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float words[];
    words[58112 - threadIdx.x] = (float)threadIdx.x;  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
    launch->shared_bytes = 227 * 1024;
}

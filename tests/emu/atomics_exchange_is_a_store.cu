// An exchange gives a word its first value: nothing of use is read.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float cell[64];
    atomicExch(&cell[threadIdx.x], 1.0f);
    __syncthreads();
    C[threadIdx.x] = cell[63 - threadIdx.x];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

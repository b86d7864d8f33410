// Bytes of one element from two blocks are no race, but too close to be kept apart.
// spread: no
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    ((unsigned char *)C)[blockIdx.x * 2 + threadIdx.x] = (unsigned char)(blockIdx.x * threadIdx.x);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(2);
    launch->grid = dim3(6);
}

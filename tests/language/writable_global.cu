// expect: not_allowed
// row: global variables that can be written
#include "matmul.cuh"

__device__ int count;  //@here

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[0] = count++;
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

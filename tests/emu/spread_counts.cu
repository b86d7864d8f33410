// Counts of a shared launch are those of one process.
// options: nocheck count
// spread: yes
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[blockIdx.x * 8 + threadIdx.x] = A[threadIdx.x * (blockIdx.x + 1)];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(4);
}

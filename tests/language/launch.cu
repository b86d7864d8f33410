// expect: not_allowed
// row: `kernel<<<…>>>`
#include "matmul.cuh"

__global__ void other(float *C)
{
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    other<<<1, 1>>>(C);  //@here
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

// expect: not_allowed
// row: attributes and pragmas that only g++ knows
#include "matmul.cuh"

__attribute__((optimize("O3"))) __device__ float one()  //@here
{
    return 1.0f;
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[0] = one();
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

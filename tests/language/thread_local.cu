// expect: not_allowed
// row: `thread_local`
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    thread_local int count = 0;  //@here
    C[0] = count;
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

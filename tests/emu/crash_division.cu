// An integer divided by zero.
// launch: 8x8x8
// expect: crash division by zero @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[threadIdx.x] = (float)(K / ((int)threadIdx.x - 3));  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

// Inputs are read only, even where const is cast away.
// launch: 8x8x8
// expect: input_written A @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    ((float *)A)[threadIdx.x] = 1.0f;  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

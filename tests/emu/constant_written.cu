// Nothing but A's neighbours and shared memory can be written.
// launch: 8x8x8
// expect: crash wild pointer @here
#include "matmul.cuh"

__constant__ float weights[4] = {1.0f, 2.0f, 3.0f, 4.0f};

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    ((float *)weights)[threadIdx.x] = 1.0f;  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

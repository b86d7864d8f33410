// The null pointer.
// launch: 8x8x8
// expect: crash null pointer @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const float *nothing = nullptr;
    C[0] = nothing[threadIdx.x];  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

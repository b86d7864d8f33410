// A float2 from braces is one store of 8 bytes, which must be at a multiple of 8.
// launch: 8x8x8
// expect: misaligned C @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    *(float2 *)&C[2 * threadIdx.x + 1] = {A[threadIdx.x], 0.0f};  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(16);
    launch->grid = dim3(1);
}

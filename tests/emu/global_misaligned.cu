// A float4 must be at a multiple of 16 bytes.
// launch: 8x8x8
// expect: misaligned A @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const float4 four = *(const float4 *)&A[threadIdx.x + 1];  //@here
    C[threadIdx.x] = four.x + four.y;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

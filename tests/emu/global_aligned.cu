// A float4 on a multiple of 16 bytes, a float2 on one of 8.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const float4 four = *(const float4 *)&A[threadIdx.x * 4 % 60];
    const float2 two = *(const float2 *)&B[2];
    ((float4 *)C)[threadIdx.x] = make_float4(four.x, two.x, four.z, two.y);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(16);
    launch->grid = dim3(1);
}

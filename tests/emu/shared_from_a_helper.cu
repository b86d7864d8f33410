// The store of a struct that a helper returned is seen.
// launch: 8x8x8
#include "matmul.cuh"

__device__ float4 four(int x)
{
    return make_float4((float)x, 1.0f, 2.0f, 3.0f);
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float4 fours[32];
    __shared__ __align__(16) float words[32][4];
    fours[threadIdx.x] = four(threadIdx.x);
    *(float4 *)&words[threadIdx.x][0] = four(threadIdx.x);
    __syncthreads();
    const float4 got = fours[31 - threadIdx.x];
    assert(got.x == (float)(31 - threadIdx.x) && got.w == 3.0f);
    assert(words[31 - threadIdx.x][1] == 1.0f);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

// The store of a struct that a helper returned is checked.
// launch: 8x8x8
// expect: out_of_bounds fours @here
#include "matmul.cuh"

__device__ float4 four(int x)
{
    return make_float4((float)x, 1.0f, 2.0f, 3.0f);
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float4 fours[31];
    float4 *cell = fours;
    cell[threadIdx.x] = four(threadIdx.x);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

// Arrays of half are checked like others: a race, and an element past the end.
// launch: 8x8x8
// expect: uninitialized tile @read
// expect: race tile @write @read
// expect: out_of_bounds tile @outside
#include <cuda_fp16.h>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ half tile[32];
    __shared__ half2 pairs[32];
    tile[threadIdx.x] = __float2half(1.0f);  //@write
    pairs[threadIdx.x] = __float2half2_rn(1.0f);
    half other = tile[31 - threadIdx.x];  //@read
    C[threadIdx.x] = other + pairs[threadIdx.x].x;
    __syncthreads();
    C[threadIdx.x] = (&tile[1])[threadIdx.x];  //@outside
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

// A block of the sample is checked like any other: its missing barrier is found while counting.
// launch: 64x64x1
// options: nocheck count sample=7
// expect: uninitialized @load
// expect: race @store @load
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float row[64];
    row[threadIdx.x] = A[threadIdx.x];  //@store
    C[blockIdx.x * 64 + threadIdx.x] = row[63 - threadIdx.x];  //@load
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(64);
}

// expect: needs_gpu
// row: `atomicAdd` of `half`
#include "matmul.cuh"
#include <cuda_fp16.h>

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ half sum;
    atomicAdd(&sum, half(1.0f));  //@here
    C[0] = sum;
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

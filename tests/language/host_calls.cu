// expect: not_allowed
// row: `cudaMalloc` and other host calls
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    cudaDeviceSynchronize();  //@here
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

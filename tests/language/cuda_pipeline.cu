// expect: needs_gpu
// row: `<cuda/pipeline>`, `<cuda/barrier>`
#include "matmul.cuh"
#include <cuda/pipeline>  //@here

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[0] = 0.0f;
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

// Two blocks of a hundred store to one element: seen, whether they are in the sample or not.
// launch: 100x64x1
// options: nocheck count sample=7
// expect: race @store @store
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.x == 41 ? 40 : blockIdx.x;
    C[row * 64 + threadIdx.x] = A[blockIdx.x] + blockIdx.x;  //@store
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(100);
}

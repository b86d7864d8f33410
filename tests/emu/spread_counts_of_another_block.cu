// The same without checks: what processes touch is compared all the same.
// options: nocheck count
// spread: no
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[blockIdx.x * 8 + threadIdx.x] = A[threadIdx.x];
    if (blockIdx.x == 3) {
        C[24 + threadIdx.x] = C[threadIdx.x] + 1.0f;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(4);
}

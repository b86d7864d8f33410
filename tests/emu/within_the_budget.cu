// Just enough: 32 threads, 3 loads and a store each.
// launch: 8x8x8
// options: budget=129
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[threadIdx.x] = A[threadIdx.x] + B[threadIdx.x] + A[0];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

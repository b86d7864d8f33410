// One access too few.
// launch: 8x8x8
// options: budget=127
// expect: time_limit @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[threadIdx.x] = A[threadIdx.x] + B[threadIdx.x] + A[0];  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

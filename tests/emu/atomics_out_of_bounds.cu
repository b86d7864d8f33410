// An atomic operation is an access like any other.
// launch: 8x8x8
// expect: out_of_bounds @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    atomicAdd(&C[M * N + threadIdx.x], 1.0f);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}

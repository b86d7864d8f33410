// A width is a power of two.
// launch: 8x8x8
// expect: barrier_divergence @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[threadIdx.x] = __shfl_sync(0xffffffffu, 1.0f, 0, 12);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

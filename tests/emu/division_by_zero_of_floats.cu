// A float divided by zero is an infinity.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const float infinite = (float)K / (float)((int)threadIdx.x - (int)threadIdx.x);
    assert(isinf(infinite));
    C[threadIdx.x] = (float)(K / ((int)threadIdx.x + 1));
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

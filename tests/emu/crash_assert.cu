// An assertion that fails.
// launch: 8x8x8
// expect: crash assertion failed @here
#include <assert.h>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    assert(threadIdx.x < 31);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

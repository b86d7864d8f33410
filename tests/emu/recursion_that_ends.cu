// A hundred calls deep is fine.
// row: recursion
// launch: 8x8x8
#include "matmul.cuh"

__device__ int sum(int x)
{
    return x == 0 ? 0 : x + sum(x - 1);
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    assert(sum(100) == 5050);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

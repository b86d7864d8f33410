// Barriers that add up predicates.
// row: `__syncthreads` and its `_count`, `_and`, `_or`
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int t = threadIdx.x;
    assert(__syncthreads_count(t % 3 == 0) == 22);
    assert(__syncthreads_and(t < 64) != 0);
    assert(__syncthreads_and(t < 63) == 0);
    assert(__syncthreads_or(t == 63) != 0);
    assert(__syncthreads_or(t == 64) == 0);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

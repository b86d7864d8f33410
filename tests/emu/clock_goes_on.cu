// The clock counts, and is the same in each run.
// row: `clock`, `clock64`
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const long long start = clock64();
    C[threadIdx.x] = A[threadIdx.x];
    assert(clock64() > start && clock() > start);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

// What a mathematical function stores through a pointer is seen as a store.
// launch: 8x8x8
// expect: out_of_bounds
// expect: out_of_bounds
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    frexpf(8.0f, (int *)&C[M * N]);
    modff(8.5f, &C[-1]);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}

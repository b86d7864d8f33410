// A loop of barriers ends with the budget.
// launch: 8x8x8
// options: budget=100000
// expect: time_limit @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    for (;;) {
        __syncthreads();  //@here
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

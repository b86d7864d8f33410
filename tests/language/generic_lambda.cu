// expect: not_allowed
// row: lambdas with `auto` parameters
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto next = [](auto x) { return x + 1; };  //@here
    C[0] = next(1.0f);
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

// expect: not_allowed
// row: host code: `main`, functions without `__device__`
#include "matmul.cuh"

float twice(float x) {  //@here
    return 2.0f * x;
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[0] = 1.0f;
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

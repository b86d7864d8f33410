// A store past an array is stopped before it happens.
// launch: 8x8x8
// expect: out_of_bounds As @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[32];
    __shared__ float Bs[32];
    float *cell = As;
    Bs[threadIdx.x] = 2.0f;
    cell[threadIdx.x + 1] = Bs[threadIdx.x];  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

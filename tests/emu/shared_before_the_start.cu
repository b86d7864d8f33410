// An index below 0 belongs to the array that it was meant for.
// launch: 8x8x8
// expect: out_of_bounds Bs @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[32];
    __shared__ float Bs[32];
    float *cell = Bs;
    As[threadIdx.x] = 1.0f;
    cell[(int)threadIdx.x - 1] = As[threadIdx.x];  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

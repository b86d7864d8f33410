// The first block and the last write one element; the race is reported as if one process ran both.
// expect: race @here @here
// spread: no
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int last = blockIdx.x == 3 ? 0 : blockIdx.x;
    C[last * 8 + threadIdx.x] = (float)blockIdx.x;  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(4);
}

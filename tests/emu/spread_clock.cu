// What the clock says depends on the blocks before.
// spread: no
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[blockIdx.x * 8 + threadIdx.x] = (float)clock64();
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(4);
}

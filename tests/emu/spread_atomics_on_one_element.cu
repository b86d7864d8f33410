// Sums of floats depend on the order of the blocks: they are made in one process.
// spread: no
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (blockIdx.x == 0) {
        C[threadIdx.x] = 0.0f;
    }
    atomicAdd(&C[8 + threadIdx.x], 1.0f / (float)(blockIdx.x + 3));
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(4);
}

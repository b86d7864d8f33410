// Atomic operations of one block on its own elements do not concern other blocks.
// spread: yes
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[blockIdx.x * 8 + threadIdx.x] = 0.0f;
    __syncthreads();
    atomicAdd(&C[blockIdx.x * 8], 1.0f / (float)(threadIdx.x + 3));
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(4);
}

// __syncwarp orders the memory of its lanes.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int cell[32];
    cell[threadIdx.x] = threadIdx.x;
    __syncwarp();
    const int next = cell[(threadIdx.x + 1) % 32];
    __syncwarp();
    cell[threadIdx.x] = next;
    C[threadIdx.x] = (float)next;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

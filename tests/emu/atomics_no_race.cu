// Atomic operations on one word are no race, in a block and between blocks.
// launch: 1x1x1
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int sum;
    if (threadIdx.x == 0) {
        sum = 0;
        C[0] = 0.0f;
    }
    __syncthreads();
    atomicAdd(&sum, (int)threadIdx.x);
    __syncthreads();
    assert(sum == 63 * 64 / 2);
    atomicAdd(&C[0], 1.0f);
    __syncthreads();
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

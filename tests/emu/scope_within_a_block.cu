// Block scope is enough for shared memory, and for elements that one block alone changes; the scope
// of the system is enough for all.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int sum;
    if (threadIdx.x == 0) {
        sum = 0;
        C[blockIdx.x] = 0.0f;
    }
    __syncthreads();
    atomicAdd_block(&sum, 1);
    atomicAdd_block(&C[blockIdx.x], 1.0f);
    atomicAdd(&C[blockIdx.x], 1.0f);
    atomicExch_system(&C[32 + threadIdx.x % 8], 0.0f);
    __syncthreads();
    if (threadIdx.x == 0) {
        C[8 + 4 * blockIdx.x] = (float)sum;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(2);
}

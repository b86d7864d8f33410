// What no thread of the block has written is not read, in any block.
// launch: 8x8x8
// expect: uninitialized @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[32];
    if (blockIdx.x == 0) {
        As[threadIdx.x] = 1.0f;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        C[blockIdx.x] = As[5];  //@here
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(2);
}

// Threads of a block with both scopes: the one of block scope is kept, however many came before it.
// launch: 8x8x8
// expect: race error C @device @block
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (blockIdx.x == 0 && threadIdx.x == 63) {
        atomicAdd_block(&C[0], 1.0f);  //@block
    } else {
        atomicAdd(&C[0], 1.0f);  //@device
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(2);
}

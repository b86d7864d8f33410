// Two blocks change an element, each by an atomic operation of block scope.
// launch: 8x8x8
// expect: race error C @add @add
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    atomicAdd_block(&C[threadIdx.x], 1.0f);  //@add
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(2);
}

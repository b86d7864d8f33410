// A thread changes an element with block scope, and then with the scope of the device; another
// block does only the latter.  The first of the three is the mistake.
// launch: 8x8x8
// expect: race error C @block @device
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (blockIdx.x == 0) {
        atomicAdd_block(&C[threadIdx.x], 1.0f);  //@block
    }
    atomicAdd(&C[threadIdx.x], 1.0f);  //@device
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(2);
}

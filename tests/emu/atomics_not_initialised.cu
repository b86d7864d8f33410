// An addition, and a comparison, read what the word held.
// launch: 8x8x8
// expect: uninitialized sum @add
// expect: uninitialized lock @compare
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int sum, lock;
    atomicAdd(&sum, 1);  //@add
    atomicCAS(&lock, 0, 1);  //@compare
    C[threadIdx.x] = 0.0f;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

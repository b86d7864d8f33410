// A kernel that prints runs in one process: its lines come once, in order.
// prints: block 0
// spread: no
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[blockIdx.x * 8 + threadIdx.x] = A[threadIdx.x];
    if (threadIdx.x == 0) {
        printf("block %d\n", blockIdx.x);
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(4);
}

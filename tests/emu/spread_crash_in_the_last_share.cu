// A crash in the last share is a crash of the launch, after all blocks before it.
// expect: crash null pointer @here
// end: stopped
// spread: no
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[blockIdx.x * 8 + threadIdx.x] = A[threadIdx.x];
    if (blockIdx.x == 3) {
        C = nullptr;
        C[threadIdx.x] = 1.0f;  //@here
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(4);
}

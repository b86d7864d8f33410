// The largest block, with a barrier.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int seen[1024];
    const int t = threadIdx.y * 32 + threadIdx.x;
    seen[t] = t;
    __syncthreads();
    assert(seen[1023 - t] == 1023 - t);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32, 32);
    launch->grid = dim3(1);
}

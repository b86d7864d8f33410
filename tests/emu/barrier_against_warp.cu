// A warp waits for lanes that wait for the block.
// launch: 8x8x8
// expect: barrier_divergence @warp @block
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (threadIdx.x % 32 == 0) {
        __syncwarp();  //@warp
    }
    __syncthreads();  //@block
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

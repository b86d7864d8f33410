// Numbers of threads and blocks in three dimensions.
// row: `threadIdx`, `blockIdx`, `blockDim`, `gridDim`, `warpSize`, `dim3`
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    assert(blockDim.x == 4 && blockDim.y == 3 && blockDim.z == 5);
    assert(gridDim.x == 2 && gridDim.y == 3 && gridDim.z == 2 && warpSize == 32);
    assert(blockIdx.x < 2 && blockIdx.y < 3 && blockIdx.z < 2);
    assert(__shfl_sync(0xffffffffu, t, t % 32) == t);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(4, 3, 5);
    launch->grid = dim3(2, 3, 2);
}

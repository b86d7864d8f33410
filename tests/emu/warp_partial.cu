// The last warp of a block may be partial; a full mask names lanes that do not exist.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int t = threadIdx.x;
    __syncwarp();
    assert(__shfl_xor_sync(0xffffffffu, t, 1) == (t ^ 1));
    assert(__popc(__ballot_sync(0xffffffffu, 1)) == (t < 32 ? 32 : 8));
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(40);
    launch->grid = dim3(1);
}

// Lanes that returned do not hold up the others.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (threadIdx.x % 2) {
        return;
    }
    __syncwarp();
    assert(__ballot_sync(0xffffffffu, 1) == 0x55555555u);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

// What comes from a lane that takes no part is junk: here a NaN.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (threadIdx.x < 16) {
        const float got = __shfl_sync(0x0000ffffu, 1.0f, 20);
        assert(got != got);
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

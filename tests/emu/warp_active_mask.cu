// In a branch the active lanes are those that came there.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (threadIdx.x % 4 == 0) {
        const unsigned mask = __activemask();
        assert(mask == 0x11111111u);
        assert(__ballot_sync(mask, 1) == mask);
    } else {
        assert(__activemask() == 0xeeeeeeeeu);
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

// The bytes that a phase expects are one more than an mbarrier can count.
// launch: 8x8x8
// expect: crash mbarrier bytes @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_expect_tx(&full, 1048575);
        ptx::mbarrier_expect_tx(&full, N - 7);  //@here
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

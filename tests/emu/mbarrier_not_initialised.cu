// An mbarrier is initialised before it is used.
// launch: 8x8x8
// expect: crash no mbarrier @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ unsigned long long full;

    if (threadIdx.x == 32) {
        ptx::mbarrier_init(&full, 64);
    }
    ptx::mbarrier_arrive(&full);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

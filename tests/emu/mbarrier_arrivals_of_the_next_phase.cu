// One call makes more arrivals than the phase lacks.
// launch: 8x8x8
// expect: crash mbarrier arrivals @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 4);
        ptx::mbarrier_arrive(&full);
        ptx::mbarrier_arrive(&full, N - 4);  //@here
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

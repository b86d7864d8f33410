// A phase has at least one arrival.
// launch: 8x8x8
// expect: crash mbarrier count @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ unsigned long long full;
    ptx::mbarrier_init(&full, N - 8);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

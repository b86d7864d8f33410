// Sizes of bulk copies are multiples of 16.
// launch: 8x8x8
// expect: crash bulk copy size @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float tile[64];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(&full, sizeof tile);
        ptx::cp_async_bulk_shared_global(tile, A, 12, &full);  //@here
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

// The first phase has the parity 0: a wait for 1 ends at once, or waits for the second phase.
// launch: 8x8x8
// expect: barrier_divergence @wait
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
        ptx::cp_async_bulk_shared_global(tile, A, sizeof tile, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 1)) {  //@wait
    }
    C[threadIdx.x] = tile[threadIdx.x];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

// The second tile is in the second phase, which has the parity 1.
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
    for (int k = 0; k < 2; k++) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(&full, 128);
            ptx::cp_async_bulk_shared_global(&tile[32 * k], &A[32 * k], 128, &full);
        }
        while (!ptx::mbarrier_try_wait_parity(&full, 0)) {  //@wait
        }
        if (threadIdx.x < 32) {
            C[32 * k + threadIdx.x] = tile[32 * k + threadIdx.x];
        }
        __syncthreads();
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

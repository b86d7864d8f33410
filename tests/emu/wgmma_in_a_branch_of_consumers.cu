// Half of the warpgroup that multiplies does not; the copies of the other threads wait for it.
// launch: 8x8x8
// expect: barrier_divergence @mma
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(128) float Bs[64];
    __shared__ unsigned long long full, empty;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, 1);
    }
    __syncthreads();
    if (threadIdx.x >= 128) {
        for (int k = 0; threadIdx.x == 128 && k < 2; k++) {
            while (!ptx::mbarrier_try_wait_parity(&empty, k ^ 1)) {
            }
            ptx::mbarrier_arrive_expect_tx(&full, sizeof Bs);
            ptx::cp_async_bulk_shared_global(Bs, B, sizeof Bs, &full);
        }
        return;
    }
    float d[4] = {};
    unsigned a[4] = {};
    for (int k = 0; k < 2; k++) {
        while (!ptx::mbarrier_try_wait_parity(&full, k)) {
        }
        ptx::wgmma_fence();
        if (threadIdx.x < 64) {
            ptx::wgmma_m64n8k8_tf32(d, a, ptx::wgmma_descriptor(Bs, 128, 256, 0), 1);  //@mma
        }
        ptx::wgmma_commit_group();
        ptx::wgmma_wait_group<0>();
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive(&empty);
        }
    }
    if (threadIdx.x < 64) {
        C[threadIdx.x] = d[0];
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(160);
    launch->grid = dim3(1);
}

// The tile may not be there yet.
// launch: 8x8x8
// expect: race @copy @mma
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(128) float Bs[64];
    __shared__ unsigned long long full;
    float d[4];
    unsigned f[4] = {};
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(&full, sizeof Bs);
        ptx::cp_async_bulk_shared_global(Bs, B, sizeof Bs, &full);  //@copy
    }
    unsigned long long b = ptx::wgmma_descriptor(Bs, 128, 256, 0);
    ptx::wgmma_fence();
    ptx::wgmma_m64n8k8_tf32(d, f, b, 0);  //@mma
    ptx::wgmma_commit_group();
    ptx::wgmma_wait_group<0>();
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    if (threadIdx.x < 64) {
        C[threadIdx.x] = d[0];
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(128);
    launch->grid = dim3(1);
}

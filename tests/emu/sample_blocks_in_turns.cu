// Blocks that are not in the sample are set aside while their threads wait long, and others run;
// each goes on as it began, watched or not.
// launch: 8x64x64
// options: nocheck count sample=7
// end: finished
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(128) float As[512], Bs[64];
    __shared__ unsigned long long full;
    float d[4];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
    }
    __syncthreads();
    if (threadIdx.x == 128) {
        for (int i = 0; i < 40000; i++) {
            As[i % 512] = A[i % 512];
            Bs[i % 64] = B[i % 64];
        }
        ptx::fence_proxy_async();
        ptx::mbarrier_arrive(&full);
    }
    if (threadIdx.x >= 128) {
        return;
    }
    unsigned long long a = ptx::wgmma_descriptor(As, 128, 256, 0);
    unsigned long long b = ptx::wgmma_descriptor(Bs, 128, 256, 0);
    ptx::wgmma_fence();
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    ptx::wgmma_m64n8k8_tf32(d, a, b, 0);
    ptx::wgmma_commit_group();
    ptx::wgmma_wait_group<0>();
    if (threadIdx.x < 64) {
        C[blockIdx.x * N + threadIdx.x] = d[0];
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(160);
    launch->grid = dim3(8);
}

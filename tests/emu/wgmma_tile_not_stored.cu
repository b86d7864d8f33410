// Nothing is in the second tile, and its products are stored.
// launch: 8x8x8
// options: lanes
// expect: uninitialized @mma
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(128) float As[512], Bs[64];
    float d[4];
    for (int i = threadIdx.x; i < 512; i += 128) {
        As[i] = 1.0f;
    }
    ptx::fence_proxy_async();
    __syncthreads();
    unsigned long long a = ptx::wgmma_descriptor(As, 128, 256, 0);
    unsigned long long b = ptx::wgmma_descriptor(Bs, 128, 256, 0);
    ptx::wgmma_fence();
    ptx::wgmma_m64n8k8_tf32(d, a, b, 0);  //@mma
    ptx::wgmma_commit_group();
    ptx::wgmma_wait_group<0>();
    if (threadIdx.x < 64) {
        C[threadIdx.x] = d[0];
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(128);
    launch->grid = dim3(1);
}

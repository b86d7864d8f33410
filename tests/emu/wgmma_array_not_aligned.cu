// Eight rows of 128 bytes with their swizzle begin at a multiple of 1024 bytes.
// launch: 8x8x8
// expect: misaligned As @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(128) float As[64 * 32];
    __shared__ __align__(1024) float Bs[8 * 32];
    float d[4];
    for (int i = threadIdx.x; i < 64 * 32; i += 128) {
        As[i] = 1.0f;
        if (i < 8 * 32) {
            Bs[i] = 1.0f;
        }
    }
    ptx::fence_proxy_async();
    __syncthreads();
    unsigned long long a = ptx::wgmma_descriptor(As, 0, 1024, 128);
    unsigned long long b = ptx::wgmma_descriptor(Bs, 0, 1024, 128);
    ptx::wgmma_fence();
    ptx::wgmma_m64n8k8_tf32(d, a, b, 0);  //@here
    ptx::wgmma_m64n8k8_tf32(d, a + 2, b + 2, 1);
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

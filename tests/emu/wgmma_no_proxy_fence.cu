// wgmma reads shared memory by another way than threads store to it.
// launch: 8x8x8
// expect: race @store @mma
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(128) float Bs[64];
    float d[4];
    unsigned f[4] = {};
    if (threadIdx.x < 64) {
        Bs[threadIdx.x] = 1.0f;  //@store
    }
    __syncthreads();
    unsigned long long b = ptx::wgmma_descriptor(Bs, 128, 256, 0);
    ptx::wgmma_fence();
    ptx::wgmma_m64n8k8_tf32(d, f, b, 0);  //@mma
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

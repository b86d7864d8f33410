// One row of A and two columns of B hold nothing: only what does not depend on them is stored.
// launch: 8x8x8
#include <assert.h>
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(128) float As[512], Bs[64];
    float d[4];
    for (int i = threadIdx.x; i < 512; i += 128) {
        if (i / 4 % 8 != 3 || i / 64 != 0) {  // row 3
            As[i] = 1.0f;
        }
    }
    for (int i = threadIdx.x; i < 64; i += 128) {
        if (i / 4 % 8 < 6) {  // columns 6 and 7
            Bs[i] = 2.0f;
        }
    }
    ptx::fence_proxy_async();
    __syncthreads();
    unsigned long long a = ptx::wgmma_descriptor(As, 128, 256, 0);
    unsigned long long b = ptx::wgmma_descriptor(Bs, 128, 256, 0);
    ptx::wgmma_fence();
    ptx::wgmma_m64n8k8_tf32(d, a, b, 0);
    ptx::wgmma_m64n8k8_tf32(d, a, b, 1);
    ptx::wgmma_commit_group();
    ptx::wgmma_wait_group<0>();
    const int lane = threadIdx.x % 32;
    for (int i = 0; i < 4; i++) {
        const int row = threadIdx.x / 32 * 16 + lane / 4 + i / 2 * 8;
        const int col = lane % 4 * 2 + i % 2;
        const bool is_set = row != 3 && col < 6;
        assert(!is_set || d[i] == 32.0f);
#ifdef __TILEGRADE_EMU__  // a GPU multiplies whatever is there
        assert(is_set || d[i] != d[i]);
#endif
        if (is_set && row < 8) {
            C[row * N + col] = d[i];
        }
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(128);
    launch->grid = dim3(1);
}

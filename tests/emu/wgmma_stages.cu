// Two warpgroups multiply what a third one copies, in two stages.  A group is under way while the
// next one begins, and one thread of a warpgroup says for all of it that a stage is free.
// row: `ptx.cuh`: `wgmma` with factors of `half`, bfloat16 and TF32, and `setmaxnreg`
// launch: 128x8x64
#include <assert.h>
#include "matmul.cuh"
#include "ptx.cuh"

#define STEPS 8  // tiles of A of 64 x 8 floats for each warpgroup, and one of B of 8 x 8 for both

// The place of an element in a tile of pieces of 8 rows of 16 bytes.
__device__ int place(int row, int k)
{
    return row / 8 * 64 + k / 4 * 32 + row % 8 * 4 + k % 4;
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(128) float As[2][2][512], Bs[2][64];
    __shared__ unsigned long long full[2], empty[2];
    if (threadIdx.x == 0) {
        for (int s = 0; s < 2; s++) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], 2);
        }
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x >= 256) {
        ptx::setmaxnreg_dec<24>();
        for (int k = 0; threadIdx.x == 256 && k < STEPS; k++) {
            while (!ptx::mbarrier_try_wait_parity(&empty[k % 2], (k / 2 & 1) ^ 1)) {
            }
            ptx::mbarrier_arrive_expect_tx(&full[k % 2], sizeof As[0] + sizeof Bs[0]);
            ptx::cp_async_bulk_shared_global(As[k % 2], A + k * 1024, sizeof As[0], &full[k % 2]);
            ptx::cp_async_bulk_shared_global(Bs[k % 2], B + k * 64, sizeof Bs[0], &full[k % 2]);
        }
        return;
    }
    ptx::setmaxnreg_inc<232>();
    const int group = threadIdx.x / 128, thread = threadIdx.x % 128;
    float d[4];
    for (int k = 0; k < STEPS; k++) {
        while (!ptx::mbarrier_try_wait_parity(&full[k % 2], k / 2 & 1)) {
        }
        ptx::wgmma_fence();
        ptx::wgmma_m64n8k8_tf32(d, ptx::wgmma_descriptor(As[k % 2][group], 128, 256, 0),
                                ptx::wgmma_descriptor(Bs[k % 2], 128, 256, 0), k > 0);
        ptx::wgmma_commit_group();
        ptx::wgmma_wait_group<1>();
        if (k > 0 && thread == 37) {
            ptx::mbarrier_arrive(&empty[(k - 1) % 2]);
        }
    }
    ptx::wgmma_wait_group<0>();
    for (int i = 0; i < 4; i++) {
        int row = thread / 32 * 16 + thread % 32 / 4 + 8 * (i / 2);
        int column = 2 * (thread % 4) + i % 2;
        float sum = 0.0f;
        for (int k = 0; k < STEPS * 8; k++) {
            sum += A[k / 8 * 1024 + group * 512 + place(row, k % 8)] *
                   B[k / 8 * 64 + place(column, k % 8)];
        }
        assert(d[i] == sum);
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(384);
    launch->grid = dim3(1);
}

// expect: bad_launch  (rows of B start at multiples of 16 bytes only if N is a multiple of 8)
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define TILE 64  // rows and columns of C in a block, and terms in a slice

__global__ void __launch_bounds__(128)
    multiply(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
             const __grid_constant__ tensor_maps maps) {
    __shared__ __align__(1024) __half a[TILE][TILE], b[TILE][TILE];
    __shared__ unsigned long long full;
    const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();  // the mbarrier is initialised
    float acc[TILE / 2];
    for (int t = 0; t < K; t += TILE) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(&full, sizeof a + sizeof b);
            ptx::cp_async_bulk_tensor_2d_shared_global(a, &maps.at[0], t, row, &full);
            ptx::cp_async_bulk_tensor_2d_shared_global(b, &maps.at[1], col, t, &full);
        }
        while (!ptx::mbarrier_try_wait_parity(&full, t / TILE % 2)) {
        }
        ptx::wgmma_fence();
        for (int k = 0; k < TILE; k += 16) {
            ptx::wgmma_m64n64k16_f16<0, 1>(acc, ptx::wgmma_descriptor(&a[0][k], 16, 1024, 128),
                                           ptx::wgmma_descriptor(b[k], 16, 1024, 128),
                                           t > 0 || k > 0);
        }
        ptx::wgmma_commit_group();
        ptx::wgmma_wait_group<0>();
        __syncthreads();  // all warps are done with the slice
    }
#pragma unroll
    for (int i = 0; i < TILE / 2; ++i) {
        const int r = row + threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
        const int c = col + threadIdx.x % 4 * 2 + i / 4 * 8 + i % 2;
        if (r < M && c < N) {
            C[(size_t)r * N + c] = acc[i];
        }
    }
}

// For rows that do not start at multiples of 16 bytes: an element for each thread.
__global__ void tensor_challenge(const __half *A, const __half *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K && col < N; ++k) {
        sum += __half2float(A[(size_t)row * K + k]) * __half2float(B[(size_t)k * N + col]);
    }
    if (col < N) {
        C[(size_t)row * N + col] = sum;
    }
}

LAUNCH_CONFIG(tensor_challenge, M, N, K) {
    if (K % 8 != 0) {
        launch->block = 128;
        launch->grid = dim3(ceil_div(N, 128), M);
        return;
    }
    launch_tensor(launch, 0, 0, TENSOR_FP16, M, K, K, TILE, TILE);
    launch_tensor(launch, 1, 1, TENSOR_FP16, K, N, N, TILE, TILE);
    LAUNCH(multiply, dim3(ceil_div(N, TILE), ceil_div(M, TILE)), 128);
}

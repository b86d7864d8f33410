// Threads store the slices, swizzled, for wgmma.
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define TILE 64  // rows and columns of C in a block, and terms in a slice

__global__ void __launch_bounds__(128)
    tensor_challenge(const __half *A, const __half *B, float *C, int M, int N, int K) {
    __shared__ __align__(1024) __half a[TILE][TILE], b[TILE][TILE];
    const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    float acc[TILE / 2];
    for (int t = 0; t < K; t += TILE) {
        for (int i = threadIdx.x; i < TILE * TILE; i += 128) {
            const int y = i / TILE, x = i % TILE, at = x ^ y % 8 * 8;  // 8 elements are 16 bytes
            const bool in_a = row + y < M && t + x < K, in_b = t + y < K && col + x < N;
            a[y][at] = in_a ? A[(size_t)(row + y) * K + t + x] : __float2half(0.0f);
            b[y][at] = in_b ? B[(size_t)(t + y) * N + col + x] : __float2half(0.0f);
        }
        ptx::fence_proxy_async();
        __syncthreads();  // the slice is full before the warpgroup multiplies it
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

LAUNCH_CONFIG(tensor_challenge, M, N, K) {
    launch->block = 128;
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}

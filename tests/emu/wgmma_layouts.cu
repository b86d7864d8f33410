// wgmma reads its factors where PTX says: both directions, all swizzles, and A from registers.
// row: `ptx.cuh`: `wgmma` with factors of `half`, bfloat16 and TF32, and `setmaxnreg`
// launch: 8x8x8
#include <assert.h>
#include <cuda_fp16.h>
#include "matmul.cuh"
#include "ptx.cuh"

#define ROWS  64
#define DEPTH 16

__device__ int a_of(int row, int k) { return (row * 5 + k * 3) % 13 - 6; }
__device__ int b_of(int row, int k) { return (row * 7 + k) % 11 - 5; }

// The place of an element, in half, of a factor with `swizzle` bytes in a row.
__device__ int place(int row, int k, int swizzle, bool trans)
{
    int line = swizzle > 0 ? swizzle : 16, across = line / 16, at;
    if (!trans) {
        at = row % 8 * line + row / 8 * (swizzle > 0 ? 8 * line : 256);
        at += swizzle > 0 ? 2 * k : k / 8 * 128 + k % 8 * 2;
    } else {
        at = row / 8 % across * 16 + row / 8 / across * (swizzle > 0 ? 16 * line : 256);
        at += k % 8 * line + k / 8 * (swizzle > 0 ? 8 * line : 128) + row % 8 * 2;
    }
    return (at ^ ((at >> 7) % across * 16)) / 2;
}

__device__ unsigned long long describe(const void *start, int swizzle, bool trans)
{
    if (swizzle == 0) {
        return ptx::wgmma_descriptor(start, 128, 256, 0);
    }
    return ptx::wgmma_descriptor(start, trans ? 16 * swizzle : 0, 8 * swizzle, swizzle);
}

// Row g and column c of the product of 16 elements of K, twice.
__device__ void check(const float (&d)[32], int times)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 32; i++) {
        int row = 16 * warp + lane / 4 + 8 * (i / 2 % 2);
        int column = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
        int sum = 0;
        for (int k = 0; k < DEPTH; k++) {
            sum += a_of(row, k) * b_of(column, k);
        }
        assert(d[i] == times * sum);
    }
}

template <int TRANS_A, int TRANS_B> __device__ void multiply(half *As, half *Bs, int swizzle)
{
    float d[32];
    unsigned a[4];
    int g = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, t = threadIdx.x % 4 * 2;
    for (int i = threadIdx.x; i < ROWS * DEPTH; i += blockDim.x) {
        int row = i / DEPTH, k = i % DEPTH;
        As[place(row, k, swizzle, TRANS_A)] = __int2half_rn(a_of(row, k));
        Bs[place(row, k, swizzle, TRANS_B)] = __int2half_rn(b_of(row, k));
    }
    for (int i = 0; i < 4; i++) {
        int row = g + i % 2 * 8, k = t + i / 2 * 8;
        __half2 two = __floats2half2_rn(a_of(row, k), a_of(row, k + 1));
        a[i] = *(unsigned *)&two;
    }
    ptx::fence_proxy_async();
    __syncthreads();
    unsigned long long from_a = describe(As, swizzle, TRANS_A);
    unsigned long long from_b = describe(Bs, swizzle, TRANS_B);
    ptx::wgmma_fence();
    ptx::wgmma_m64n64k16_f16<TRANS_A, TRANS_B>(d, from_a, from_b, 0);
    ptx::wgmma_m64n64k16_f16<TRANS_A, TRANS_B>(d, from_a, from_b, 1);
    ptx::wgmma_m64n64k16_f16<TRANS_B>(d, a, from_b, 1);
    ptx::wgmma_commit_group();
    ptx::wgmma_wait_group<0>();
    check(d, 3);
    __syncthreads();
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(1024) half As[8192], Bs[8192];
    ptx::setmaxnreg_inc<64>();
    for (int swizzle = 0; swizzle <= 128; swizzle = swizzle == 0 ? 32 : 2 * swizzle) {
        multiply<0, 0>(As, Bs, swizzle);
        multiply<0, 1>(As, Bs, swizzle);
        multiply<1, 0>(As, Bs, swizzle);
        multiply<1, 1>(As, Bs, swizzle);
    }
    ptx::setmaxnreg_dec<24>();
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(128);
    launch->grid = dim3(1);
}

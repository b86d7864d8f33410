// wgmma in all types and numbers of columns; factors are in pieces of 8 rows of 16 bytes.
// row: `ptx.cuh`: `wgmma` with factors of `half`, bfloat16 and TF32, and `setmaxnreg`
// launch: 8x8x8
#include <assert.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "matmul.cuh"
#include "ptx.cuh"

__device__ int value(int row, int k, int seed) { return (row * 5 + k * 3 + seed) % 9 - 4; }
__device__ void set(half *to, int x) { *to = __int2half_rn(x); }
__device__ void set(nv_bfloat16 *to, int x) { *to = __float2bfloat16((float)x); }
__device__ void set(float *to, int x) { *to = (float)x; }

template <class T> __device__ void fill(T *to, int rows, int seed)
{
    const int each = 16 / sizeof(T);
    for (int i = threadIdx.x; i < rows * 2 * each; i += blockDim.x) {
        int row = i / (2 * each), k = i % (2 * each);
        set(&to[row / 8 * 16 * each + k / each * 8 * each + row % 8 * each + k % each],
            value(row, k, seed));
    }
}

// Some of the sums of each thread; the first call has set them, and the second one added as much.
template <int N> __device__ void check(const float (&d)[N / 2], int depth)
{
    for (int i = threadIdx.x % 5; i < N / 2; i += 5) {
        int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + 8 * (i / 2 % 2);
        int column = 8 * (i / 4) + 2 * (threadIdx.x % 4) + i % 2, sum = 0;
        for (int k = 0; k < depth; k++) {
            sum += value(row, k, 1) * value(column, k, 2);
        }
        assert(d[i] == 2 * sum);
    }
}

#define TEST(n, type, name, depth)                                                                 \
    {                                                                                              \
        float d[n / 2];                                                                            \
        fill((type *)As, 64, 1);                                                                   \
        fill((type *)Bs, n, 2);                                                                    \
        ptx::fence_proxy_async();                                                                  \
        __syncthreads();                                                                           \
        ptx::wgmma_fence();                                                                        \
        ptx::wgmma_m64n##n##name(d, a, b, 0);                                                      \
        ptx::wgmma_m64n##n##name(d, a, b, 1);                                                      \
        ptx::wgmma_commit_group();                                                                 \
        ptx::wgmma_wait_group<0>();                                                                \
        check<n>(d, depth);                                                                        \
        __syncthreads();                                                                           \
    }
#define TESTS(n)                                                                                   \
    TEST(n, half, k16_f16, 16)                                                                     \
    TEST(n, nv_bfloat16, k16_bf16, 16)                                                             \
    TEST(n, float, k8_tf32, 8)

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) unsigned char As[64 * 32], Bs[256 * 32];
    unsigned long long a = ptx::wgmma_descriptor(As, 128, 256, 0);
    unsigned long long b = ptx::wgmma_descriptor(Bs, 128, 256, 0);
    TESTS(8)
    TESTS(16)
    TESTS(32)
    TESTS(64)
    TESTS(96)
    TESTS(128)
    TESTS(192)
    TESTS(256)
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(128);
    launch->grid = dim3(1);
}

// expect: race 30 43  (wgmma still reads the tiles that the next round fills)
#include "matmul.cuh"
#include "ptx.cuh"

#define BLOCK   64   // edge of the block of C
#define THREADS 128  // a warpgroup
#define DEPTH   32   // terms that are in shared memory at a time: 128 bytes
#define TERMS   8    // of one wgmma

// The place of a float in a tile of rows of 128 bytes: pieces of 16 bytes are swizzled.
__device__ int place(int row, int k)
{
    return row * DEPTH + ((k / 4 ^ row % 8) * 4 + k % 4);
}

__global__ void __launch_bounds__(THREADS)
    matmul_tensor_core(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(1024) float As[BLOCK * DEPTH], Bs[BLOCK * DEPTH];
    int row0 = blockIdx.y * BLOCK, column0 = blockIdx.x * BLOCK;
    float acc[BLOCK / 2] = {};
    unsigned long long a = ptx::wgmma_descriptor(As, 0, 8 * 128, 128);
    unsigned long long b = ptx::wgmma_descriptor(Bs, 0, 8 * 128, 128);

    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        for (int i = threadIdx.x; i < BLOCK * DEPTH; i += THREADS) {
            int row = i / DEPTH, k = i % DEPTH;
            bool inside = row0 + row < M && k0 + k < K;
            float x = inside ? A[(row0 + row) * K + k0 + k] : 0.0f;
            As[place(row, k)] = __uint_as_float(ptx::cvt_rna_tf32(x));
        }
        for (int i = threadIdx.x; i < DEPTH * BLOCK; i += THREADS) {
            int k = i / BLOCK, column = i % BLOCK;
            bool inside = k0 + k < K && column0 + column < N;
            float x = inside ? B[(k0 + k) * N + column0 + column] : 0.0f;
            Bs[place(column, k)] = __uint_as_float(ptx::cvt_rna_tf32(x));
        }
        ptx::fence_proxy_async();
        __syncthreads();  // the tiles are full, and wgmma sees them
        ptx::wgmma_fence();
#pragma unroll
        for (int k = 0; k < DEPTH; k += TERMS) {
            ptx::wgmma_m64n64k8_tf32(acc, a + k / 4, b + k / 4, 1);
        }
        ptx::wgmma_commit_group();
        __syncthreads();  // all warps are done with the tiles
    }
    ptx::wgmma_wait_group<0>();
    int row = row0 + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
    int column = column0 + threadIdx.x % 4 * 2;
#pragma unroll
    for (int i = 0; i < BLOCK / 2; i++) {
        int r = row + i / 2 % 2 * 8, c = column + i / 4 * 8 + i % 2;
        if (r < M && c < N) {
            C[r * N + c] = acc[i];
        }
    }
}

LAUNCH_CONFIG(matmul_tensor_core, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BLOCK), ceil_div(M, BLOCK));
}

// B is transposed first, so that both factors are copied along K, for cp.async and mma.sync.
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define TILE 64  // rows and columns of C in a block
#define BK   32  // depth of a slice

struct slice {
    __half a[TILE][BK + 8], b[TILE][BK + 8];
};

static __host__ __device__ int padded(int K) {
    return ceil_div(K, BK) * BK;
}

// Copies A, and B transposed, to rows of whole slices, with zeros at their ends.
__global__ void copy(const __half *A, const __half *B, float *C, int M, int N, int K,
                     float *workspace) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int row = i / padded(K), k = i % padded(K);
    if (row < M + N) {
        ((__half *)workspace)[i] = k >= K    ? __float2half(0.0f)
                                   : row < M ? A[(size_t)row * K + k]
                                             : B[(size_t)k * N + row - M];
    }
}

// Starts the copies of a slice, as one group.
static __device__ void copy_slice(struct slice *to, const __half *a, const __half *b, int rows,
                                  int cols, int K) {
    for (int i = threadIdx.x; i < TILE * BK / 8; i += 128) {
        const int row = i / (BK / 8), k = i % (BK / 8) * 8;
        const size_t at = (size_t)row * padded(K) + k;
        ptx::cp_async_cg_16(&to->a[row][k], &a[at], row < rows ? 16 : 0);
        ptx::cp_async_cg_16(&to->b[row][k], &b[at], row < cols ? 16 : 0);
    }
    ptx::cp_async_commit_group();
}

__global__ void multiply(const __half *A, const __half *B, float *C, int M, int N, int K,
                         float *workspace) {
    __shared__ __align__(16) struct slice slices[2];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    const int my_row = warp / 2 * 32, my_col = warp % 2 * 32, count = ceil_div(K, BK);
    const __half *a = (const __half *)workspace + (size_t)row0 * padded(K);
    const __half *b = (const __half *)workspace + (size_t)(M + col0) * padded(K);
    float acc[2][4][4] = {};
    copy_slice(&slices[0], a, b, M - row0, N - col0, K);
    for (int slice = 0; slice < count; ++slice) {
        const struct slice *now = &slices[slice % 2];
        if (slice + 1 < count) {
            const int next = (slice + 1) * BK;
            copy_slice(&slices[(slice + 1) % 2], a + next, b + next, M - row0, N - col0, K);
            ptx::cp_async_wait_group<1>();
        } else {
            ptx::cp_async_wait_group<0>();
        }
        __syncthreads();  // the slice is full before any warp loads it
        for (int k = 0; k < BK; k += 16) {
            unsigned use_a[2][4], use_b[4][2];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                ptx::ldmatrix_x4(use_a[i], &now->a[my_row + i * 16 + lane % 16][k + lane / 16 * 8]);
            }
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                ptx::ldmatrix_x2(use_b[j],
                                 &now->b[my_col + j * 8 + lane % 8][k + lane / 8 % 2 * 8]);
            }
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                ptx::mma_m16n8k16_f16(acc[i / 4][i % 4], use_a[i / 4], use_b[i % 4],
                                      acc[i / 4][i % 4]);
            }
        }
        __syncthreads();  // all warps have loaded it before it is overwritten
    }
#pragma unroll
    for (int i = 0; i < 32; ++i) {
        const int row = row0 + my_row + i / 16 * 16 + i / 2 % 2 * 8 + lane / 4;
        const int col = col0 + my_col + i / 4 % 4 * 8 + lane % 4 * 2 + i % 2;
        if (row < M && col < N) {
            C[(size_t)row * N + col] = acc[i / 16][i / 4 % 4][i % 4];
        }
    }
}

// For matrices whose copies are larger than a workspace may be: an element for each thread.
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
    const size_t count = (size_t)(M + N) * padded(K);
    if (count * sizeof(__half) > WORKSPACE_BYTES_MAX) {
        launch->block = 128;
        launch->grid = dim3(ceil_div(N, 128), M);
        return;
    }
    launch->workspace_bytes = count * sizeof(__half);
    LAUNCH(copy, ceil_div(count, 256), 256);
    LAUNCH(multiply, dim3(ceil_div(N, TILE), ceil_div(M, TILE)), 128);
}

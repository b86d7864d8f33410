// One kernel for all sizes, by WMMA: blocks of 32 x 64.
#define KERNEL_USES_HALF
#include <mma.h>

#include "kernel.cuh"

#define SMALL_ROWS    32   // rows of C in a block
#define SMALL_COLS    64   // columns of C in that block
#define SMALL_THREADS 256  // threads of that block: 8 warps, of 16 x 16 elements each

#define BK    64  // depth of a slice
#define DEPTH 16  // terms that a warp multiplies at a time

__global__ void tensor_challenge(const __half *A, const __half *B, float *C, int M, int N, int K) {
    using namespace nvcuda;
    __shared__ __align__(32) __half As[SMALL_ROWS][BK + 8];
    __shared__ __align__(32) __half Bs[BK][SMALL_COLS + 8];
    __shared__ __align__(32) float Cs[SMALL_ROWS][SMALL_COLS + 4];
    const int row = blockIdx.y * SMALL_ROWS, col = blockIdx.x * SMALL_COLS;
    const int my_row = threadIdx.x / 128 * 16, my_col = threadIdx.x / 32 % 4 * 16;
    const __half zero = __float2half(0.0f);
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    for (int t = 0; t < K; t += BK) {
#pragma unroll
        for (int i = 0; i < SMALL_ROWS * BK; i += SMALL_THREADS) {
            const int r = (i + threadIdx.x) / BK, k = (i + threadIdx.x) % BK;
            As[r][k] = row + r < M && t + k < K ? A[(size_t)(row + r) * K + t + k] : zero;
        }
#pragma unroll
        for (int i = 0; i < BK * SMALL_COLS; i += SMALL_THREADS) {
            const int k = (i + threadIdx.x) / SMALL_COLS, c = (i + threadIdx.x) % SMALL_COLS;
            Bs[k][c] = t + k < K && col + c < N ? B[(size_t)(t + k) * N + col + c] : zero;
        }
        __syncthreads();  // the slice is full before any warp multiplies it
#pragma unroll
        for (int k = 0; k < BK; k += DEPTH) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
            wmma::load_matrix_sync(a, &As[my_row][k], BK + 8);
            wmma::load_matrix_sync(b, &Bs[k][my_col], SMALL_COLS + 8);
            wmma::mma_sync(acc, a, b, acc);
        }
        __syncthreads();  // all warps are done with it before it is overwritten
    }
    wmma::store_matrix_sync(&Cs[my_row][my_col], acc, SMALL_COLS + 4, wmma::mem_row_major);
    __syncthreads();  // all results are there
    for (int i = threadIdx.x; i < SMALL_ROWS * SMALL_COLS; i += SMALL_THREADS) {
        const int r = i / SMALL_COLS, c = i % SMALL_COLS;
        if (row + r < M && col + c < N) {
            C[(size_t)(row + r) * N + col + c] = Cs[r][c];
        }
    }
}

LAUNCH_CONFIG(tensor_challenge, M, N, K) {
    launch->block = SMALL_THREADS;
    launch->grid = dim3(ceil_div(N, SMALL_COLS), ceil_div(M, SMALL_ROWS));
}

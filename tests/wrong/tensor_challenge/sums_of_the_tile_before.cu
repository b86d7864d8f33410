// expect: wrong_result  (the sums are set to zero once, not for each tile)
#define KERNEL_USES_HALF
#include <mma.h>

#include "kernel.cuh"

#define TILE   32  // rows and columns of C in a tile, and terms in a slice
#define BLOCKS 4   // at most: a block computes one tile after the other

__global__ void tensor_challenge(const __half *A, const __half *B, float *C, int M, int N, int K) {
    using namespace nvcuda;
    __shared__ __align__(32) __half As[TILE][TILE + 8], Bs[TILE][TILE + 8];
    __shared__ __align__(32) float Cs[TILE][TILE + 4];
    const int warp = threadIdx.x / 32, my_row = warp / 2 * 16, my_col = warp % 2 * 16;
    const int cols = ceil_div(N, TILE), tiles = ceil_div(M, TILE) * cols;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int row = tile / cols * TILE, col = tile % cols * TILE;
        for (int t = 0; t < K; t += TILE) {
            for (int i = threadIdx.x; i < TILE * TILE; i += 128) {
                const int y = i / TILE, x = i % TILE;
                const bool in_a = row + y < M && t + x < K, in_b = t + y < K && col + x < N;
                As[y][x] = in_a ? A[(size_t)(row + y) * K + t + x] : __float2half(0.0f);
                Bs[y][x] = in_b ? B[(size_t)(t + y) * N + col + x] : __float2half(0.0f);
            }
            __syncthreads();  // the slice is full before any warp multiplies it
            for (int k = 0; k < TILE; k += 16) {
                wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
                wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
                wmma::load_matrix_sync(a, &As[my_row][k], TILE + 8);
                wmma::load_matrix_sync(b, &Bs[k][my_col], TILE + 8);
                wmma::mma_sync(acc, a, b, acc);
            }
            __syncthreads();  // all warps are done with it before it is overwritten
        }
        wmma::store_matrix_sync(&Cs[my_row][my_col], acc, TILE + 4, wmma::mem_row_major);
        __syncthreads();  // all sums are there
        for (int i = threadIdx.x; i < TILE * TILE; i += 128) {
            const int r = row + i / TILE, c = col + i % TILE;
            if (r < M && c < N) {
                C[(size_t)r * N + c] = Cs[i / TILE][i % TILE];
            }
        }
        __syncthreads();  // they have been stored
    }
}

LAUNCH_CONFIG(tensor_challenge, M, N, K) {
    launch->block = 128;
    launch->grid = min(ceil_div(M, TILE) * ceil_div(N, TILE), BLOCKS);
}

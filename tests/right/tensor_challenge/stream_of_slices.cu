// Stream-K: each block multiplies as many slices, whatever tiles they belong to.
#define KERNEL_USES_HALF
#include <mma.h>

#include "kernel.cuh"

#define TILE   32  // rows and columns of C in a tile, and terms in a slice
#define BLOCKS 20

// The slices of all tiles, one tile after the other, are shared out evenly among the blocks.
static __device__ int first_of(int block, int count) {
    return (long long)count * block / BLOCKS;
}

// Leaves the sums of tiles that other blocks share in the workspace: of two tiles at most.
__global__ void tensor_challenge(const __half *A, const __half *B, float *C, int M, int N, int K,
                                 float *workspace) {
    using namespace nvcuda;
    __shared__ __align__(32) __half As[TILE][TILE + 8], Bs[TILE][TILE + 8];
    __shared__ __align__(32) float Cs[TILE][TILE + 4];
    const int warp = threadIdx.x / 32, my_row = warp / 2 * 16, my_col = warp % 2 * 16;
    const int cols = ceil_div(N, TILE), slices = ceil_div(K, TILE);
    const int count = ceil_div(M, TILE) * cols * slices, end = first_of(blockIdx.x + 1, count);
    for (int at = first_of(blockIdx.x, count), next; at < end; at = next) {
        const int tile = at / slices, row = tile / cols * TILE, col = tile % cols * TILE;
        next = min(end, (tile + 1) * slices);
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
        wmma::fill_fragment(acc, 0.0f);
        for (int slice = at; slice < next; ++slice) {
            const int t = slice % slices * TILE;
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
        float *sums = workspace + (2 * blockIdx.x + (at % slices == 0)) * TILE * TILE;
        for (int i = threadIdx.x; i < TILE * TILE; i += 128) {
            const int r = row + i / TILE, c = col + i % TILE;
            if (next - at < slices) {
                sums[i] = Cs[i / TILE][i % TILE];
            } else if (r < M && c < N) {
                C[(size_t)r * N + c] = Cs[i / TILE][i % TILE];
            }
        }
        __syncthreads();  // they have been stored
    }
}

// Adds the sums of a tile that several blocks have computed.
__global__ void add(const __half *A, const __half *B, float *C, int M, int N, int K,
                    float *workspace) {
    const int cols = ceil_div(N, TILE), slices = ceil_div(K, TILE), first = blockIdx.x * slices;
    const int r = blockIdx.x / cols * TILE + threadIdx.x / TILE;
    const int c = blockIdx.x % cols * TILE + threadIdx.x % TILE;
    float sum = 0.0f;
    for (int block = 0; block < BLOCKS; ++block) {
        const int from = max(first_of(block, gridDim.x * slices), first);
        const int end = min(first_of(block + 1, gridDim.x * slices), first + slices);
        if (end - from == slices) {
            return;  // the tile is in C
        }
        if (from < end) {
            sum += workspace[(2 * block + (from == first)) * TILE * TILE + threadIdx.x];
        }
    }
    if (r < M && c < N) {
        C[(size_t)r * N + c] = sum;
    }
}

LAUNCH_CONFIG(tensor_challenge, M, N, K) {
    launch->workspace_bytes = sizeof(float) * 2 * BLOCKS * TILE * TILE;
    LAUNCH(tensor_challenge, BLOCKS, 128);
    LAUNCH(add, ceil_div(M, TILE) * ceil_div(N, TILE), TILE * TILE);
}

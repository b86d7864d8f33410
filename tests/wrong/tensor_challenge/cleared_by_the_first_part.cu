// expect: race 19 46  (blocks of other parts may add before the first part has cleared C)
#define KERNEL_USES_HALF
#include <mma.h>

#include "kernel.cuh"

#define TILE 32  // rows and columns of C in a block, and terms in a slice

__global__ void tensor_challenge(const __half *A, const __half *B, float *C, int M, int N, int K) {
    using namespace nvcuda;
    __shared__ __align__(32) __half As[TILE][TILE + 8], Bs[TILE][TILE + 8];
    __shared__ __align__(32) float Cs[TILE][TILE + 4];
    const int row = blockIdx.y * TILE, col = blockIdx.x * TILE, warp = threadIdx.x / 32;
    const int my_row = warp / 2 * 16, my_col = warp % 2 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    for (int i = threadIdx.x; i < TILE * TILE && blockIdx.z == 0; i += 128) {
        if (row + i / TILE < M && col + i % TILE < N) {
            C[(size_t)(row + i / TILE) * N + col + i % TILE] = 0.0f;
        }
    }
    const int slices = ceil_div(K, TILE), part = blockIdx.z, parts = gridDim.z;
    const int first = slices * part / parts, end = slices * (part + 1) / parts;
    for (int t = first * TILE; t < end * TILE; t += TILE) {
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
            atomicAdd(&C[(size_t)r * N + c], Cs[i / TILE][i % TILE]);  // the parts of K add up
        }
    }
}

LAUNCH_CONFIG(tensor_challenge, M, N, K) {
    const int parts = max(1, ceil_div(K, TILE) / 8);
    launch->block = 128;
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE), parts);
}

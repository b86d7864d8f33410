// expect: misaligned 76  (rows of C have any length, and edges are not checked)
#include "matmul.cuh"

#include <mma.h>

#define BLOCK   64   // edge of the block of C; each of 4 warps computes 32 x 32 of it
#define THREADS 128  // 4 warps
#define DEPTH   32   // terms that are in shared memory at a time
#define PIECE   16   // edge of the piece that one call multiplies …
#define TERMS   8    // … of so many terms
#define PAD     4    // rows in shared memory are longer, so that they start in different banks

using namespace nvcuda;

using tf32 = wmma::precision::tf32;
using PieceA = wmma::fragment<wmma::matrix_a, PIECE, PIECE, TERMS, tf32, wmma::row_major>;
using PieceB = wmma::fragment<wmma::matrix_b, PIECE, PIECE, TERMS, tf32, wmma::row_major>;
using PieceC = wmma::fragment<wmma::accumulator, PIECE, PIECE, TERMS, float>;

__global__ void __launch_bounds__(THREADS)
    matmul_tensor_core(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ __align__(32) float As[BLOCK][DEPTH + PAD];
    __shared__ __align__(32) float Bs[DEPTH][BLOCK + PAD];
    __shared__ __align__(32) float Cs[BLOCK][BLOCK + PAD];

    const int warp = threadIdx.x / 32;
    const int first_row = warp / 2 * 32;  // of my warp, in the block of C
    const int first_col = warp % 2 * 32;
    const int row = blockIdx.y * BLOCK;
    const int col = blockIdx.x * BLOCK;

    PieceC acc[2][2];
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            wmma::fill_fragment(acc[i][j], 0.0f);
        }
    }
    for (int t = 0; t < K; t += DEPTH) {
#pragma unroll  // all loads are started before the kernel waits for the first one
        for (int first = 0; first < BLOCK * DEPTH; first += THREADS) {
            const int i = first + threadIdx.x;
            const int a_row = row + i / DEPTH;
            const int a_col = t + i % DEPTH;
            As[i / DEPTH][i % DEPTH] = a_row < M && a_col < K ? A[a_row * K + a_col] : 0.0f;
            const int b_row = t + i / BLOCK;
            const int b_col = col + i % BLOCK;
            Bs[i / BLOCK][i % BLOCK] = b_row < K && b_col < N ? B[b_row * N + b_col] : 0.0f;
        }
        __syncthreads();  // the tiles are full before any warp reads them

        for (int k = 0; k < DEPTH; k += TERMS) {
            PieceA a[2];
            PieceB b[2];
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(a[i], &As[first_row + i * PIECE][k], DEPTH + PAD);
                wmma::load_matrix_sync(b[i], &Bs[k][first_col + i * PIECE], BLOCK + PAD);
                for (int e = 0; e < a[i].num_elements; ++e) {
                    a[i].x[e] = wmma::__float_to_tf32(a[i].x[e]);
                }
                for (int e = 0; e < b[i].num_elements; ++e) {
                    b[i].x[e] = wmma::__float_to_tf32(b[i].x[e]);
                }
            }

            for (int i = 0; i < 2; ++i) {
                for (int j = 0; j < 2; ++j) {
                    wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
                }
            }
        }
        __syncthreads();  // every warp has read the tiles before anyone refills them
    }

    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            wmma::store_matrix_sync(
                &C[(row + first_row + i * PIECE) * N + col + first_col + j * PIECE], acc[i][j], N,
                wmma::mem_row_major);
        }
    }
    __syncthreads();  // Cs is full before anyone reads it

    for (int i = threadIdx.x; i < BLOCK * BLOCK; i += THREADS) {
        const int c_row = row + i / BLOCK;
        const int c_col = col + i % BLOCK;
        if (c_row < M && c_col < N) {
            C[c_row * N + c_col] = Cs[i / BLOCK][i % BLOCK];
        }
    }
}

LAUNCH_CONFIG(matmul_tensor_core, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BLOCK), ceil_div(M, BLOCK));
}

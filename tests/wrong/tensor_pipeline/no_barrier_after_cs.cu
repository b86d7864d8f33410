// expect: race 125 135  (C is read before all warps have stored it)
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include "kernel.cuh"

#define BM     128  // rows of C in a block
#define BN     128  // columns of C in a block
#define BK     32   // depth of a slice
#define WM     64   // rows of C in a warp
#define WN     64   // columns of C in a warp
#define PIECE  16   // edge of a fragment, in every direction
#define PAD    8    // rows in shared memory are longer by 16 bytes, so that 8 of them use all banks
#define CHUNK  8    // elements that one copy of 16 bytes moves
#define STAGES 4    // slices in shared memory: one is multiplied, the others are on their way

#define THREADS (BM / WM * (BN / WN) * 32)

using namespace nvcuda;

using PieceA = wmma::fragment<wmma::matrix_a, PIECE, PIECE, PIECE, __half, wmma::row_major>;
using PieceB = wmma::fragment<wmma::matrix_b, PIECE, PIECE, PIECE, __half, wmma::row_major>;
using PieceC = wmma::fragment<wmma::accumulator, PIECE, PIECE, PIECE, float>;

struct slice {
    __half a[BM][BK + PAD];
    __half b[BK][BN + PAD];
};

// Starts to copy a tile whose rows in global memory have `length` elements, a multiple of CHUNK.
// Of the tile, `rows` x `cols` elements exist; the others become 0.  WHOLE: all of it exists.
template <bool WHOLE, int ROWS, int COLS>
static __device__ __forceinline__ void copy_tile(__half (*to)[COLS + PAD], const __half *from,
                                                 int length, int rows, int cols) {
    const int row0 = threadIdx.x / (COLS / CHUNK);  // of my first chunk
    const int col = threadIdx.x % (COLS / CHUNK) * CHUNK;
#pragma unroll
    for (int row = row0; row < row0 + ROWS; row += THREADS / (COLS / CHUNK)) {
        const bool exists = WHOLE || (row < rows && col < cols);
        __pipeline_memcpy_async(&to[row][col], &from[row * length + col], 16, exists ? 0 : 16);
    }
}

// The same for rows of any length, element by element: no row but the first need be aligned.
template <int ROWS, int COLS>
static __device__ void store_tile(__half (*to)[COLS + PAD], const __half *from, int length,
                                  int rows, int cols) {
#pragma unroll 16
    for (int first = 0; first < ROWS * COLS; first += THREADS) {
        const int row = (first + threadIdx.x) / COLS;
        const int col = (first + threadIdx.x) % COLS;
        const bool exists = row < rows && col < cols;
        to[row][col] = exists ? from[row * length + col] : __float2half(0.0f);
    }
}

// Starts to copy the slice of the terms from `t` on, if there is one, as one group.
static __device__ __forceinline__ void copy_slice(struct slice *to, const __half *A,
                                                  const __half *B, int t, int M, int N, int K) {
    const int row = blockIdx.y * BM;
    const int col = blockIdx.x * BN;
    const __half *a = &A[row * K + t];
    const __half *b = &B[t * N + col];
    const bool aligned = K % CHUNK == 0 && N % CHUNK == 0;
    if (aligned && row + BM <= M && col + BN <= N && t + BK <= K) {
        copy_tile<true, BM, BK>(to->a, a, K, M - row, K - t);
        copy_tile<true, BK, BN>(to->b, b, N, K - t, N - col);
    } else if (aligned && t < K) {
        copy_tile<false, BM, BK>(to->a, a, K, M - row, K - t);
        copy_tile<false, BK, BN>(to->b, b, N, K - t, N - col);
    } else if (t < K) {
        store_tile<BM, BK>(to->a, a, K, M - row, K - t);
        store_tile<BK, BN>(to->b, b, N, K - t, N - col);
    }
    __pipeline_commit();  // all copies since the last commit, perhaps none, are one group
}

__global__ void __launch_bounds__(THREADS, 2)
    tensor_pipeline(const __half *A, const __half *B, float *C, int M, int N, int K) {
    extern __shared__ __align__(32) unsigned char memory[];
    struct slice *slices = (struct slice *)memory;
    float(*Cs)[BN + PAD] = (float(*)[BN + PAD]) memory;  // in the end, over the slices

    const int warp = threadIdx.x / 32;
    const int first_row = warp / (BN / WN) * WM;  // of my warp, in the block of C
    const int first_col = warp % (BN / WN) * WN;

    PieceC acc[WM / PIECE][WN / PIECE];
    for (int i = 0; i < WM / PIECE; ++i) {
        for (int j = 0; j < WN / PIECE; ++j) {
            wmma::fill_fragment(acc[i][j], 0.0f);
        }
    }
    for (int slice = 0; slice < STAGES - 1; ++slice) {
        copy_slice(&slices[slice], A, B, slice * BK, M, N, K);
    }
    for (int slice = 0; slice < ceil_div(K, BK); ++slice) {
        __pipeline_wait_prior(STAGES - 2);  // all groups but the last STAGES - 2 have arrived
        __syncthreads();  // the slice is full, and every warp has read the one before it
        const int next = slice + STAGES - 1;
        copy_slice(&slices[next % STAGES], A, B, next * BK, M, N, K);

        const struct slice *now = &slices[slice % STAGES];
        for (int k = 0; k < BK; k += PIECE) {
            PieceA a[WM / PIECE];
            PieceB b[WN / PIECE];
            for (int i = 0; i < WM / PIECE; ++i) {
                wmma::load_matrix_sync(a[i], &now->a[first_row + i * PIECE][k], BK + PAD);
            }
            for (int j = 0; j < WN / PIECE; ++j) {
                wmma::load_matrix_sync(b[j], &now->b[k][first_col + j * PIECE], BN + PAD);
            }
            for (int i = 0; i < WM / PIECE; ++i) {
                for (int j = 0; j < WN / PIECE; ++j) {
                    wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
                }
            }
        }
    }
    __syncthreads();  // every warp has read its last slice, so Cs may take its place

    for (int i = 0; i < WM / PIECE; ++i) {
        for (int j = 0; j < WN / PIECE; ++j) {
            wmma::store_matrix_sync(&Cs[first_row + i * PIECE][first_col + j * PIECE], acc[i][j],
                                    BN + PAD, wmma::mem_row_major);
        }
    }

#pragma unroll 8
    for (int first = 0; first < BM * BN; first += THREADS) {
        const int row = (first + threadIdx.x) / BN;
        const int col = (first + threadIdx.x) % BN;
        if (blockIdx.y * BM + row < M && blockIdx.x * BN + col < N) {
            C[(blockIdx.y * BM + row) * N + blockIdx.x * BN + col] = Cs[row][col];
        }
    }
}

LAUNCH_CONFIG(tensor_pipeline, M, N, K) {
    const int slices = STAGES * sizeof(struct slice);
    const int result = sizeof(float) * BM * (BN + PAD);
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
    launch->shared_bytes = slices > result ? slices : result;
}

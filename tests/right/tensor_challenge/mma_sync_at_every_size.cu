// One kernel for all sizes, by mma.sync.
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define BM     128  // rows of C in a block
#define BN     256  // columns of C in a block
#define BK     32   // depth of a slice
#define WM     64   // rows of C in a warp
#define WN     64   // columns of C in a warp
#define MMA_M  16   // an mma.sync multiplies 16 x 16 elements of A by 16 x 8 of B
#define MMA_N  8
#define MMA_K  16
#define CHUNK  8  // elements in 16 bytes: what one copy moves, and a row of a matrix of ldmatrix
#define STAGES 4  // slices in shared memory: one is multiplied, the others are on their way

#define THREADS (BM / WM * (BN / WN) * 32)
#define STEPS   (BK / MMA_K)  // of a slice

// How a block copies: all chunks exist; each is checked; or rows are not aligned to chunks.
enum copies { WHOLE, CHECKED, SINGLE };

struct slice {
    __half a[BM][BK];
    __half b[BK][BN];
};

// What one thread holds of its warp's factors for one step.
struct fragments {
    unsigned a[WM / MMA_M][4];
    unsigned b[WN / MMA_N][2];
};

// The column of a row in shared memory where element `col` of that row is.  COLS: of the row.
template <int COLS> static __device__ __forceinline__ int swizzled(int row, int col) {
    int chunk = col / CHUNK;
    if (COLS >= 64) {
        chunk ^= row % 8;
    } else {
        chunk ^= row / 2 % 4;  // two rows share 128 bytes
    }
    return chunk * CHUNK + col % CHUNK;
}

// Starts to copy a tile whose rows in global memory have `length` elements, a multiple of CHUNK.
// Of the tile, `rows` x `cols` elements exist; the others become 0.  WHOLE: all of it exists.
template <enum copies HOW, int ROWS, int COLS>
static __device__ __forceinline__ void copy_tile(__half (*to)[COLS], const __half *from, int length,
                                                 int rows, int cols) {
    const int rows_at_once = THREADS / (COLS / CHUNK);
    const int row0 = threadIdx.x / (COLS / CHUNK);  // of my first chunk
    const int col = threadIdx.x % (COLS / CHUNK) * CHUNK;
    const __half *mine = &from[row0 * length + col];
#pragma unroll
    for (int row = row0; row < row0 + ROWS; row += rows_at_once) {
        const bool exists = HOW == WHOLE || (row < rows && col < cols);
        ptx::cp_async_cg_16(&to[row][swizzled<COLS>(row, col)], mine, exists ? 16 : 0);
        mine += rows_at_once * length;
    }
}

// The same for rows of any length, element by element: no row but the first need be aligned.
template <int ROWS, int COLS>
static __device__ void store_tile(__half (*to)[COLS], const __half *from, int length, int rows,
                                  int cols) {
#pragma unroll 16
    for (int first = 0; first < ROWS * COLS; first += THREADS) {
        const int row = (first + threadIdx.x) / COLS;
        const int col = (first + threadIdx.x) % COLS;
        const bool exists = row < rows && col < cols;
        to[row][swizzled<COLS>(row, col)] = exists ? from[row * length + col] : __float2half(0.0f);
    }
}

// Starts to copy the slice of the terms from `t` on, if there is one, as one group.
template <enum copies HOW>
static __device__ __forceinline__ void copy_slice(struct slice *to, const __half *A,
                                                  const __half *B, int t, int M, int N, int K) {
    const int row = blockIdx.y * BM;
    const int col = blockIdx.x * BN;
    const __half *a = &A[row * K + t];
    const __half *b = &B[t * N + col];
    if (HOW == SINGLE && t < K) {
        store_tile<BM, BK>(to->a, a, K, M - row, K - t);
        store_tile<BK, BN>(to->b, b, N, K - t, N - col);
    } else if (t < K) {
        copy_tile<HOW, BM, BK>(to->a, a, K, M - row, K - t);
        copy_tile<HOW, BK, BN>(to->b, b, N, K - t, N - col);
    }
    ptx::cp_async_commit_group();  // all copies since the last commit, perhaps none, are one group
}

// Loads my warp's fragments for the terms k to k + MMA_K - 1 of a slice.  The warp's first row and
// column are those in the block of C.
static __device__ __forceinline__ void load_fragments(struct fragments *to,
                                                      const struct slice *from, int first_row,
                                                      int first_col, int k) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < WM / MMA_M; ++i) {
        const int row = first_row + i * MMA_M + lane % 16;
        const int col = k + lane / 16 * CHUNK;
        ptx::ldmatrix_x4(to->a[i], &from->a[row][swizzled<BK>(row, col)]);
    }
#pragma unroll
    for (int j = 0; j < WN / MMA_N; j += 2) {
        const int row = k + lane % 16;
        const int col = first_col + j * MMA_N + lane / 16 * CHUNK;
        unsigned pair[4];
        ptx::ldmatrix_x4_trans(pair, &from->b[row][swizzled<BN>(row, col)]);
        to->b[j][0] = pair[0];
        to->b[j][1] = pair[1];
        to->b[j + 1][0] = pair[2];
        to->b[j + 1][1] = pair[3];
    }
}

// Computes my warp's part of C.
template <enum copies HOW>
static __device__ __forceinline__ void
multiply(float (&acc)[WM / MMA_M][WN / MMA_N][4], struct slice *slices, const __half *A,
         const __half *B, int first_row, int first_col, int M, int N, int K) {
    struct fragments use[2];  // of this step, and of the next one
    for (int slice = 0; slice < STAGES - 1; ++slice) {
        copy_slice<HOW>(&slices[slice], A, B, slice * BK, M, N, K);
    }
    ptx::cp_async_wait_group<STAGES - 2>();
    __syncthreads();  // slice 0 is full
    load_fragments(&use[0], &slices[0], first_row, first_col, 0);

    const int count = ceil_div(K, BK);
    for (int slice = 0; slice < count; ++slice) {
        const struct slice *now = &slices[slice % STAGES];
        const struct slice *after = &slices[(slice + 1 < count ? slice + 1 : slice) % STAGES];
#pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            if (step == 0) {  // every warp has loaded all of the slice before
                const int next = slice + STAGES - 1;
                copy_slice<HOW>(&slices[next % STAGES], A, B, next * BK, M, N, K);
            }
            if (step == STEPS - 1) {
                ptx::cp_async_wait_group<STAGES - 2>();
                __syncthreads();  // the next slice is full, and every warp has loaded all of this
                load_fragments(&use[0], after, first_row, first_col, 0);
            } else {
                load_fragments(&use[(step + 1) % 2], now, first_row, first_col, (step + 1) * MMA_K);
            }
#pragma unroll
            for (int i = 0; i < WM / MMA_M; ++i) {
#pragma unroll
                for (int j = 0; j < WN / MMA_N; ++j) {
                    ptx::mma_m16n8k16_f16(acc[i][j], use[step % 2].a[i], use[step % 2].b[j],
                                          acc[i][j]);
                }
            }
        }
    }
}

__global__ void __launch_bounds__(THREADS, 1)
    tensor_challenge(const __half *A, const __half *B, float *C, int M, int N, int K) {
    extern __shared__ __align__(16) unsigned char memory[];
    struct slice *slices = (struct slice *)memory;

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int first_row = warp / (BN / WN) * WM;  // of my warp, in the block of C
    const int first_col = warp % (BN / WN) * WN;
    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BN;
    float acc[WM / MMA_M][WN / MMA_N][4] = {};

    const bool aligned = K % CHUNK == 0 && N % CHUNK == 0;
    if (aligned && K % BK == 0 && row0 + BM <= M && col0 + BN <= N) {
        multiply<WHOLE>(acc, slices, A, B, first_row, first_col, M, N, K);
    } else if (aligned) {
        multiply<CHECKED>(acc, slices, A, B, first_row, first_col, M, N, K);
    } else {
        multiply<SINGLE>(acc, slices, A, B, first_row, first_col, M, N, K);
    }

#pragma unroll
    for (int i = 0; i < WM / MMA_M; ++i) {
#pragma unroll
        for (int j = 0; j < WN / MMA_N; ++j) {
#pragma unroll
            for (int lower = 0; lower < 2; ++lower) {
                const int row = row0 + first_row + i * MMA_M + lower * 8 + lane / 4;
                const int col = col0 + first_col + j * MMA_N + lane % 4 * 2;
                float *to = &C[row * N + col];
                if (row < M && col < N && N % 2 == 0) {
                    *(float2 *)to = make_float2(acc[i][j][2 * lower], acc[i][j][2 * lower + 1]);
                } else if (row < M && col < N) {
                    to[0] = acc[i][j][2 * lower];
                    if (col + 1 < N) {
                        to[1] = acc[i][j][2 * lower + 1];
                    }
                }
            }
        }
    }
}

LAUNCH_CONFIG(tensor_challenge, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
    launch->shared_bytes = STAGES * sizeof(struct slice);
}

// Double-buffered matrix multiplication: slices are copied while others are multiplied.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Launch   blocks of 64 threads; a block computes 64 x 128 elements of C, a warp 64 x 64.
// Change   asynchronous copies go from global to shared memory without registers, several slices
//          ahead; one barrier per slice.  The registers that this frees hold 16 x 8 results.
//          The step is long: a copy of 4 bytes needs no alignment, so edges are new as well.
// Limit    each quarter of an SM issues one instruction per clock; 9 of 10 are multiply-adds.
// Source   CUDA C++ Programming Guide, chapter "Asynchronous Data Copies".
#include <cuda_pipeline.h>

#include "matmul.cuh"

#define BM 64     // rows of C in a block
#define BN 128    // columns of C in a block
#define BK 8      // depth of a slice
#define WM 64     // rows of C in a warp
#define WN 64     // columns of C in a warp
#define TM 16     // rows of C in a thread: 4 in each quarter of the warp's part
#define TN 8      // columns of C in a thread: 4, and 4 more half a warp's part further right
#define PAD 4     // unused columns of As, so that the stores of a warp use all banks
#define STAGES 4  // slices in shared memory: one is multiplied, the others are on their way

#define WARPS (BM / WM * (BN / WN))
#define THREADS (WARPS * 32)

struct slice {
    float a[BK][BM + PAD];  // transposed: a row is a column of A
    float b[BK][BN];
};

// What a thread copies of the next slice: its first element of A and its warp's first row of B; and
// how much of the matrices is left.
struct source {
    const float *a, *b;
    int rows, cols;  // of A and of B from there on
    int depth;       // of K from this slice on
};

// Starts to copy one element; 0 if there is none.
static __device__ __forceinline__ void copy_one(float *to, const float *from, bool exists) {
    __pipeline_memcpy_async(to, from, 4, exists ? 0 : 4);  // the last number: bytes that become 0
}

// Starts to copy a slice.  WHOLE: all of it exists.  WIDE: rows of B are aligned to 16 bytes.
template <bool WHOLE, bool WIDE>
static __device__ __forceinline__ void copy_slice(struct slice *to, const struct source &from,
                                                  int N, int K) {
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int a_row = lane / 8;  // a warp copies 4 rows of 8 elements of A at a time
    const int a_col = lane % 8;
    //@cut 1 start to copy my elements of A and of B
#pragma unroll
    for (int m = 0; m < BM; m += 4 * WARPS) {
        copy_one(&to->a[a_col][4 * warp + a_row + m], &from.a[m * K],
                 WHOLE || (m < from.rows && a_col < from.depth));
    }
#pragma unroll
    for (int k = 0; k < BK; k += WARPS) {  // and a row of B
        if (WIDE) {
            __pipeline_memcpy_async(&to->b[warp + k][lane * 4], &from.b[k * N + lane * 4], 16);
            continue;
        }
#pragma unroll
        for (int n = lane; n < lane + BN; n += 32) {
            copy_one(&to->b[warp + k][n], &from.b[k * N + n],
                     WHOLE || (warp + k < from.depth && n < from.cols));
        }
    }
    //@end
}

// Starts to copy the slice that `from` points at, if there is one, and moves on to the next.
static __device__ __forceinline__ void copy_next(struct slice *to, struct source *from, bool inside,
                                                 int N, int K) {
    if (inside && from->depth >= BK && N % 4 == 0) {
        copy_slice<true, true>(to, *from, N, K);
    } else if (inside && from->depth >= BK) {
        copy_slice<true, false>(to, *from, N, K);
    } else if (from->depth > 0) {
        copy_slice<false, false>(to, *from, N, K);
    }
    __pipeline_commit();  // all copies since the last commit, perhaps none, are one group
    from->a += BK;
    from->b += BK * N;
    from->depth -= BK;
}

__global__ void __launch_bounds__(THREADS)
    matmul_double_buffered(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ __align__(16) struct slice slices[STAGES];

    // For computing: where my first element is in the block's part of C.
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    // Lanes form squares of 2 x 2, so that lanes that read the same words are neighbours.
    const int m = warp / (BN / WN) * WM + (lane / 16 * 2 + lane % 2) * 4;
    const int n = warp % (BN / WN) * WN + lane / 2 % 8 * 4;

    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BN;
    const bool inside = row0 + BM <= M && col0 + BN <= N;  // the block's part of C is whole
    const int a_row = row0 + 4 * warp + lane / 8;  // of my first element of A
    struct source from = {&A[a_row * K + lane % 8], &B[warp * N + col0], M - a_row, N - col0, K};

    float acc[TM][TN] = {};
    //@cut 2 start to copy the first STAGES - 1 slices, each into its own buffer
    for (int stage = 0; stage < STAGES - 1; ++stage) {
        copy_next(&slices[stage], &from, inside, N, K);
    }
    //@end
    for (int slice = 0; slice < ceil_div(K, BK); ++slice) {
        //@cut 3 wait for my copies of this slice, then for those of the other threads
        __pipeline_wait_prior(STAGES - 2);  // all groups but the last STAGES - 2 have arrived
        __syncthreads();  // the slice is full, and everyone has read the one before it
        //@end

        //@cut 4 start to copy a slice into the buffer that was read last
        copy_next(&slices[(slice + STAGES - 1) % STAGES], &from, inside, N, K);
        //@end

        const struct slice *now = &slices[slice % STAGES];
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            __align__(16) float a[TM], b[TN];
            for (int i = 0; i < TM; i += 4) {
                *(float4 *)&a[i] = *(const float4 *)&now->a[k][m + i / 4 * (WM / 4)];
            }
            for (int j = 0; j < TN; j += 4) {
                *(float4 *)&b[j] = *(const float4 *)&now->b[k][n + j / 4 * (WN / 2)];
            }
            for (int i = 0; i < TM; ++i) {
                for (int step = 0; step < TN; ++step) {
                    // There and back: when i changes, the value of b is already in a register.
                    const int j = i % 2 == 0 ? step : TN - 1 - step;
                    acc[i][j] += a[i] * b[j];
                }
            }
        }
    }

    for (int i = 0; i < TM; ++i) {
        for (int j = 0; j < TN; ++j) {
            const int row = row0 + m + i / 4 * (WM / 4) + i % 4;
            const int col = col0 + n + j / 4 * (WN / 2) + j % 4;
            if (row < M && col < N) {
                C[row * N + col] = acc[i][j];
            }
        }
    }
}

LAUNCH_CONFIG(matmul_double_buffered, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
}

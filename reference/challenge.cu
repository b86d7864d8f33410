// Any kernel, any launch: one way to multiply, in four sizes of tile, and K in parts.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Launch   the largest tile that still gives each multiprocessor of a large card its blocks; where
//          even the small ones are too few, K in parts, which a second launch adds.
// Change   values of the next k are read while this k is multiplied, also across slices; copies
//          begin amid the products; warps may share the k of a slice, and add their sums at last.
// Limit    what is tuned for one card need not be best for another.
// Source   the lessons before; A. Kerr et al., "CUTLASS: Fast Linear Algebra in CUDA C++", 2017.
#include <cuda_pipeline.h>

#include "matmul.cuh"

#define FEW           120  // blocks that a large card needs to be busy
#define SMALL_ROWS    16   // of C in a block, where C is small
#define SMALL_COLS    32   // of C in it
#define SMALL_THREADS 256  // of it

//@cut 1 your kernels, as many as you like, and what they share
// A way to multiply.  A warp computes WM x WN elements, a thread TM x TN of them; GROUPS groups of
// warps each take their share of the BK terms of a slice; STAGES slices are in shared memory.
template <int ROWS_C, int COLS_C, int DEPTH_K, int WARP_M, int WARP_N, int THREAD_M, int THREAD_N,
          int GROUPS_K, int BUFFERS>
struct shape {
    static constexpr int TILE_M = ROWS_C, TILE_N = COLS_C, BK = DEPTH_K;
    static constexpr int WM = WARP_M, WN = WARP_N, TM = THREAD_M, TN = THREAD_N;
    static constexpr int GROUPS = GROUPS_K, STAGES = BUFFERS;
    static constexpr int STEPS = BK / GROUPS;                 // terms of a slice for each group
    static constexpr int TILE = TILE_M / WM * (TILE_N / WN);  // warps that cover a tile
    static constexpr int WARPS = TILE * GROUPS;
    static constexpr int THREADS = WARPS * 32;
    static constexpr int LANES = WN / TN;  // side by side; 32 / LANES one below the other
    // A is copied ROWS rows and DEPTH columns at a time; B one by one, or WIDE_ROWS rows at a time.
    static constexpr int ROWS = WARPS * 4 < TILE_M ? WARPS * 4 : TILE_M;
    static constexpr int DEPTH = WARPS * 32 / ROWS;
    static constexpr int WIDE_ROWS = THREADS / (TILE_N / 4);
    static constexpr int A_COPIES = TILE_M / ROWS * (BK / DEPTH);  // of a thread, for each slice
    static constexpr int B_COPIES = BK * TILE_N / THREADS;
    struct slice {
        float a[BK][TILE_M + 4];  // turned; the pad spreads what a warp stores over all banks
        float b[BK][TILE_N];
    };
    static_assert(STAGES >= 3 && STEPS % 2 == 0 && BK % DEPTH == 0 && BK % WARPS == 0,
                  "all copies are whole");
};

// What a thread copies: its first element of A, its warp's first row of B, in the next slice.
struct source {
    const float *a, *b;
    int N, K;
    int rows, cols;      // how much of the matrices lies from there on
    int a_left, b_left;  // and how many terms
};

// Copy number i of this thread, of a slice.  WHOLE: all of it exists.
template <typename S, bool WHOLE>
static __device__ __forceinline__ void copy_a(typename S::slice *to, const struct source &from,
                                              int i) {
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int m = i % (S::TILE_M / S::ROWS) * S::ROWS;
    const int k = i / (S::TILE_M / S::ROWS) * S::DEPTH;
    const int row = warp % (S::ROWS / 4) * 4 + lane / 8;
    const int col = warp / (S::ROWS / 4) * 8 + lane % 8;
    const bool exists = WHOLE || (m < from.rows && k < from.a_left);
    __pipeline_memcpy_async(&to->a[col + k][row + m], &from.a[m * from.K + k], 4, exists ? 0 : 4);
}

template <typename S, bool WHOLE>
static __device__ __forceinline__ void copy_b(typename S::slice *to, const struct source &from,
                                              int i) {
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int n = i % (S::TILE_N / 32) * 32;
    const int k = i / (S::TILE_N / 32) * S::WARPS;
    const bool exists = WHOLE || (n + lane < from.cols && k < from.b_left);
    __pipeline_memcpy_async(&to->b[warp + k][lane + n], &from.b[k * from.N + lane + n], 4,
                            exists ? 0 : 4);
}

// Four elements of B at once; rows of B begin at multiples of 16 bytes.
template <typename S>
static __device__ __forceinline__ void copy_b_wide(typename S::slice *to, const struct source &from,
                                                   int i) {
    const int row = threadIdx.x / (S::TILE_N / 4);
    const int col = threadIdx.x % (S::TILE_N / 4) * 4;
    const int k = i * S::WIDE_ROWS;
    const int warp = threadIdx.x / 32;
    __pipeline_memcpy_async(&to->b[row + k][col], &from.b[(k + row - warp) * from.N + col], 16);
}

// Begins to copy a slice.  WIDE: rows of B begin at multiples of 16 bytes.
template <typename S, bool WHOLE, bool WIDE>
static __device__ __forceinline__ void copy_slice(typename S::slice *to,
                                                  const struct source &from) {
#pragma unroll
    for (int i = 0; i < S::A_COPIES; ++i) {
        copy_a<S, WHOLE>(to, from, i);
    }
#pragma unroll
    for (int i = 0; i < (WIDE ? S::BK / S::WIDE_ROWS : S::B_COPIES); ++i) {
        if (WIDE) {
            copy_b_wide<S>(to, from, i);
        } else {
            copy_b<S, WHOLE>(to, from, i);
        }
    }
}

static __device__ __forceinline__ void advance(struct source *from, int terms) {
    from->a += terms;
    from->b += terms * from->N;
    from->a_left -= terms;
    from->b_left -= terms;
}

// Adds the products of `slices` slices to acc.  The first slice has `first` terms, the others BK.
template <typename S, bool WHOLE, bool WIDE>
static __device__ __forceinline__ void multiply(float (&acc)[S::TM][S::TN],
                                                typename S::slice *buffers, struct source from,
                                                int slices, int first, int m, int n) {
    // The first slice may be short: it is copied with care, so that no other need be.
    struct source careful = from;
    careful.a_left = min(
        careful.a_left, first - (int)(threadIdx.x / 32 / (S::ROWS / 4) * 8 + threadIdx.x % 32 % 8));
    careful.b_left = min(careful.b_left, first - (int)(threadIdx.x / 32));
    copy_slice<S, false, false>(&buffers[0], careful);
    __pipeline_commit();
    advance(&from, first);
    for (int slice = 1; slice < S::STAGES - 1; ++slice) {
        if (slice < slices) {
            copy_slice<S, WHOLE, WIDE>(&buffers[slice], from);
            advance(&from, S::BK);
        }
        __pipeline_commit();
    }
    __pipeline_wait_prior(S::STAGES - 2);
    __syncthreads();  // the first slice is full

    __align__(16) float a[2][S::TM], b[2][S::TN];
    const auto read = [&](int into, const typename S::slice *slice, int k) {
#pragma unroll
        for (int i = 0; i < S::TM; i += 4) {
            *(float4 *)&a[into][i] = *(const float4 *)&slice->a[k][m + i * (32 / S::LANES)];
        }
#pragma unroll
        for (int j = 0; j < S::TN; j += 4) {
            *(float4 *)&b[into][j] = *(const float4 *)&slice->b[k][n + j * S::LANES];
        }
    };
    const int k0 = threadIdx.x / 32 / S::TILE * S::STEPS;  // my group's first term of each slice
    int use = 0;
    int fill = S::STAGES - 1;
    read(0, &buffers[0], k0);
    for (int slice = 0; slice < slices; ++slice) {
#pragma unroll
        for (int step = 0; step < S::STEPS; ++step) {
            if (step + 1 < S::STEPS) {
                read((step + 1) % 2, &buffers[use], k0 + step + 1);
            } else if (slice + 1 < slices) {
                __pipeline_wait_prior(S::STAGES - 3);
                __syncthreads();  // the next slice is full, and everyone has read this one
                use = use + 1 == S::STAGES ? 0 : use + 1;
                read(0, &buffers[use], k0);
            }
            if (step == S::STEPS / 2 - 1 && slice + S::STAGES - 1 < slices) {
                copy_slice<S, WHOLE, WIDE>(&buffers[fill], from);
                advance(&from, S::BK);
            }
#pragma unroll
            for (int j = 0; j < S::TN; ++j) {
#pragma unroll
                for (int there = 0; there < S::TM; ++there) {
                    const int i = j % 2 == 0 ? there : S::TM - 1 - there;
                    acc[i][j] += a[step % 2][i] * b[step % 2][j];
                }
            }
        }
        __pipeline_commit();
        fill = fill + 1 == S::STAGES ? 0 : fill + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();  // everyone has read the last slice: the buffers are free
}

// The upper half of the groups hands its sums to the lower half, until one group has them all.
template <typename S>
static __device__ __forceinline__ void add_groups(float (&acc)[S::TM][S::TN], float *sums) {
    const int group = threadIdx.x / 32 / S::TILE;
    const int me = threadIdx.x % (S::TILE * 32);
#pragma unroll
    for (int half = S::GROUPS / 2; half > 0; half /= 2) {
        float *mine = &sums[group % half * S::TM * S::TN * S::TILE * 32 + me];
        if (group >= half && group < 2 * half) {
#pragma unroll
            for (int e = 0; e < S::TM * S::TN; ++e) {
                mine[e * S::TILE * 32] = acc[e / S::TN][e % S::TN];
            }
        }
        __syncthreads();  // the upper half has handed over
        if (group < half) {
#pragma unroll
            for (int e = 0; e < S::TM * S::TN; ++e) {
                acc[e / S::TN][e % S::TN] += mine[e * S::TILE * 32];
            }
        }
        __syncthreads();  // the lower half has taken it
    }
}

// Sums part z of K for the block's tile, and stores it to matrix z of `to`.
template <typename S>
static __device__ __forceinline__ void product(const float *A, const float *B, float *to, int M,
                                               int N, int K) {
    constexpr int bytes = S::STAGES * sizeof(typename S::slice);
    constexpr int sums = S::GROUPS / 2 * S::TILE_M * S::TILE_N * 4;
    __shared__ __align__(16) unsigned char shared[bytes > sums ? bytes : sums];
    typename S::slice *buffers = (typename S::slice *)shared;

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int row0 = blockIdx.y * S::TILE_M;
    const int col0 = blockIdx.x * S::TILE_N;
    const int m = warp % S::TILE / (S::TILE_N / S::WN) * S::WM + lane / S::LANES * 4;
    const int n = warp % (S::TILE_N / S::WN) * S::WN + lane % S::LANES * 4;

    const int all = ceil_div(K, S::BK);
    const int begin = (int)(blockIdx.z * all / gridDim.z) * S::BK;
    const int end = min(K, (int)((blockIdx.z + 1) * all / gridDim.z) * S::BK);
    const int slices = ceil_div(end - begin, S::BK);
    const int first = end - begin - (slices - 1) * S::BK;

    const int a_row = row0 + warp % (S::ROWS / 4) * 4 + lane / 8;
    const int a_col = begin + warp / (S::ROWS / 4) * 8 + lane % 8;
    struct source from = {&A[a_row * K + a_col],
                          &B[(begin + warp) * N + col0],
                          N,
                          K,
                          M - a_row,
                          N - col0,
                          end - a_col,
                          end - begin - warp};
    float acc[S::TM][S::TN] = {};
    const bool inside = row0 + S::TILE_M <= M && col0 + S::TILE_N <= N;
    if (slices > 0 && inside && N % 4 == 0) {
        multiply<S, true, true>(acc, buffers, from, slices, first, m, n);
    } else if (slices > 0 && inside) {
        multiply<S, true, false>(acc, buffers, from, slices, first, m, n);
    } else if (slices > 0) {
        multiply<S, false, false>(acc, buffers, from, slices, first, m, n);
    }
    if (S::GROUPS > 1) {
        add_groups<S>(acc, (float *)shared);
        if (warp >= S::TILE) {
            return;
        }
    }

    to += blockIdx.z * M * N;
#pragma unroll
    for (int i = 0; i < S::TM; ++i) {
#pragma unroll
        for (int j = 0; j < S::TN; ++j) {
            const int row = row0 + m + i / 4 * 4 * (32 / S::LANES) + i % 4;
            const int col = col0 + n + j / 4 * 4 * S::LANES + j % 4;
            if (row < M && col < N) {
                to[row * N + col] = acc[i][j];
            }
        }
    }
}

using Large = shape<64, 128, 8, 64, 64, 8, 16, 1, 4>;
using Middle = shape<64, 64, 16, 64, 32, 8, 8, 4, 3>;
using Strip = shape<32, 64, 32, 32, 64, 8, 8, 8, 3>;
using Small = shape<SMALL_ROWS, SMALL_COLS, 64, 16, 32, 4, 4, 8, 3>;
static_assert(Small::THREADS == SMALL_THREADS, "as LAUNCH_CONFIG says");

__global__ void __launch_bounds__(Large::THREADS)
    large(const float *A, const float *B, float *C, int M, int N, int K) {
    product<Large>(A, B, C, M, N, K);
}

__global__ void __launch_bounds__(Middle::THREADS, 2)  // two blocks for each multiprocessor
    middle(const float *A, const float *B, float *C, int M, int N, int K) {
    product<Middle>(A, B, C, M, N, K);
}

__global__ void __launch_bounds__(Strip::THREADS)
    strip(const float *A, const float *B, float *C, int M, int N, int K) {
    product<Strip>(A, B, C, M, N, K);
}

// Block z sums part z of K into its matrix of the workspace.
__global__ void __launch_bounds__(Strip::THREADS)
    sum_parts(const float *A, const float *B, float *C, int M, int N, int K, float *workspace) {
    product<Strip>(A, B, workspace, M, N, K);
}

// Parts of K: as many as give a large card its blocks, each at least 256 terms.
static __device__ int parts_of(int M, int N, int K) {
    const int tiles = ceil_div(N, Strip::TILE_N) * ceil_div(M, Strip::TILE_M);
    return max(1, min(min(ceil_div(FEW, tiles), K / 256), 32));
}

// Each thread adds the parts of one element.
__global__ void add_parts(const float *A, const float *B, float *C, int M, int N, int K,
                          float *workspace) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int parts = parts_of(M, N, K);
    if (i < M * N) {
        float sum = 0.0f;
#pragma unroll 8
        for (int part = 0; part < parts; ++part) {
            sum += workspace[part * M * N + i];
        }
        C[i] = sum;
    }
}

template <typename S> static __device__ dim3 tiles(int M, int N, int parts = 1) {
    return dim3(ceil_div(N, S::TILE_N), ceil_div(M, S::TILE_M), parts);
}

// Are there that many tiles?
template <typename S> static __device__ bool enough(int M, int N, int blocks) {
    return ceil_div(N, S::TILE_N) * ceil_div(M, S::TILE_M) >= blocks;
}
//@end

// The kernel for all sizes for which LAUNCH_CONFIG names no other.
__global__ void matmul_challenge(const float *A, const float *B, float *C, int M, int N, int K) {
    //@cut 2 the product, for all other sizes
    product<Small>(A, B, C, M, N, K);
    //@end
}

LAUNCH_CONFIG(matmul_challenge, M, N, K) {
    //@cut 3 which kernels for which sizes
    const int parts = parts_of(M, N, K);
    if (enough<Large>(M, N, 4 * FEW)) {
        LAUNCH(large, tiles<Large>(M, N), Large::THREADS);
        return;
    }
    if (enough<Middle>(M, N, 2 * FEW)) {
        LAUNCH(middle, tiles<Middle>(M, N), Middle::THREADS);
        return;
    }
    if (enough<Strip>(M, N, FEW)) {
        LAUNCH(strip, tiles<Strip>(M, N), Strip::THREADS);
        return;
    }
    if (parts > 3) {
        launch->workspace_bytes = 4ull * parts * M * N;
        LAUNCH(sum_parts, tiles<Strip>(M, N, parts), Strip::THREADS);
        LAUNCH(add_parts, ceil_div(M * N, 256), 256);
        return;
    }
    //@end
    launch->block = SMALL_THREADS;
    launch->grid = dim3(ceil_div(N, SMALL_COLS), ceil_div(M, SMALL_ROWS));
}

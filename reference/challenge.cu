// Any kernel, any launch: one way to multiply, in five tile sizes; slices distributed evenly.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Launch   the largest tile that gives each SM of a large card its share.  The tiles of a
//          partial wave are cut along K; a dependent launch adds the partial sums.
// Change   values of the next k are read while this k is multiplied, even across slices; copies
//          start between the products, without a branch or a check of edges; results go to C
//          through shared memory; warps may share the k of a slice, and add their sums at the end.
// Limit    an SM issues instructions in 9 of 10 clocks, and 9 of 10 of them are multiply-adds; in
//          the other clock two values come from the same register bank.
// Source   the lessons before; A. Kerr et al., "CUTLASS: Fast Linear Algebra in CUDA C++", 2017;
//          M. Osama et al., "Stream-K", PPoPP 2023.
#include <cuda_pipeline.h>

#include "matmul.cuh"
#include "ptx.cuh"

#define CARD          132  // SMs of the card for which sizes are chosen
#define SMALL_ROWS    16   // rows of C in a block, if C is small
#define SMALL_COLS    32   // columns of C in that block
#define SMALL_THREADS 256  // threads of that block
#define ADD_THREADS   256  // threads of a block that adds parts …
#define ADD_TURNS     16   // … that take turns over the parts, if there are many

//@cut 1 your kernels, as many as you like, and what they share
// A way to tile.  A warp computes WM x WN elements, a thread TM x TN of them; GROUPS groups of
// warps each take their share of the BK terms of a slice; STAGES slices are in shared memory.
template <int ROWS_C, int COLS_C, int DEPTH_K, int WARP_M, int WARP_N, int THREAD_M, int THREAD_N,
          int GROUPS_K, int BUFFERS, int BLOCKS_SM>
struct shape {
    static constexpr int TILE_M = ROWS_C, TILE_N = COLS_C, BK = DEPTH_K;
    static constexpr int WM = WARP_M, WN = WARP_N, TM = THREAD_M, TN = THREAD_N;
    static constexpr int GROUPS = GROUPS_K, STAGES = BUFFERS;
    static constexpr int BLOCKS = BLOCKS_SM, WORKERS = CARD * BLOCKS;
    static constexpr int STEPS = BK / GROUPS;                 // terms of a slice for each group
    static constexpr int TILE = TILE_M / WM * (TILE_N / WN);  // warps that cover a tile
    static constexpr int THREADS = TILE * GROUPS * 32;
    static constexpr int LANES_M = WM / TM, LANES_N = WN / TN;
    // A slice: BK columns of A, each padded so that the stores of a warp use all banks, and BK rows
    // of B.
    static constexpr int A_STRIDE = TILE_M + 4;
    static constexpr int A_FLOATS = BK * A_STRIDE, FLOATS = A_FLOATS + BK * TILE_N;
    // All threads together copy ROWS x DEPTH elements of A at a time.
    static constexpr int ROWS = THREADS / 8 < TILE_M ? THREADS / 8 : TILE_M;
    static constexpr int DEPTH = THREADS / ROWS;
    static constexpr int A_COPIES = TILE_M * BK / THREADS;  // copies of a thread, for each slice
    // B is copied in rows: 16 bytes per thread if rows start at multiples of 16 bytes, else SIDE
    // elements side by side.
    static constexpr int WIDE_ROWS = THREADS / (TILE_N / 4), WIDE_COPIES = BK / WIDE_ROWS;
    static constexpr int SIDE = TILE_N < 128 ? TILE_N : 32;
    static constexpr int B_ROWS = THREADS / SIDE, B_COPIES = BK * TILE_N / THREADS;
    // Layout of sums on their way to C: columns 0, 4, 8, ... of a row, then 1, 5, 9, ..., spread
    // over the banks.
    static constexpr int C_FOURTH = WN / 4 + (WN / 4 % 16 == 0 ? 8 : 0);
    static constexpr int C_STRIDE = 4 * C_FOURTH + 32 / LANES_M;
    // This way works for any C and K; the others need at least one tile, and K over one slice.
    static constexpr bool ANY = TILE_M == SMALL_ROWS;
    // Checks before each copy whether a slice is left: costs a branch, but ends earlier.
    static constexpr bool ASKS = GROUPS > 4;
    static_assert(STAGES >= 3 && STEPS % 2 == 0 && BK % DEPTH == 0 && BK % B_ROWS == 0 &&
                      BK % WIDE_ROWS == 0,
                  "all copies are whole");
};

// What a thread copies: the source in the next slice, and the destination in the first buffer.
struct copier {
    const float *a, *b;
    float *a_to, *b_to;
    int a_k, b_k;  // the term of the slice that the thread copies first
    int N, K;
};

// Starts every `turns`-th of this thread's copies of a slice that has `first` terms.
template <typename S, bool WIDE, bool SHORT>
static __device__ __forceinline__ void copy_some(const struct copier &me, int to, int turn,
                                                 int turns, int first) {
#pragma unroll
    for (int i = turn; i < S::A_COPIES; i += turns) {
        const int m = i % (S::TILE_M / S::ROWS) * S::ROWS;
        const int k = i / (S::TILE_M / S::ROWS) * S::DEPTH;
        __pipeline_memcpy_async(&me.a_to[to + k * S::A_STRIDE + m], &me.a[m * me.K + k], 4,
                                SHORT && me.a_k + k >= first ? 4 : 0);
    }
#pragma unroll
    for (int i = turn; i < (WIDE ? S::WIDE_COPIES : S::B_COPIES); i += turns) {
        const int n = WIDE ? 0 : i % (S::TILE_N / S::SIDE) * S::SIDE;
        const int k = WIDE ? i * S::WIDE_ROWS : i / (S::TILE_N / S::SIDE) * S::B_ROWS;
        constexpr int bytes = WIDE ? 16 : 4;
        __pipeline_memcpy_async(&me.b_to[to + k * S::TILE_N + n], &me.b[k * me.N + n], bytes,
                                SHORT && me.b_k + k >= first ? bytes : 0);
    }
}

// What each thread copies for the tile at row0, col0, starting at term `begin`.  Past the last row
// or column the last one is copied again; results computed from it are not stored.
template <typename S, bool WIDE>
static __device__ __forceinline__ struct copier copier_of(const float *A, const float *B,
                                                          float *buffers, int M, int N, int K,
                                                          int row0, int col0, int begin) {
    const int t = threadIdx.x;
    const int a_row = t / 8 % S::ROWS;
    const int a_k = t / 8 / S::ROWS * 8 + t % 8;
    const int b_col = WIDE ? t % (S::TILE_N / 4) * 4 : t % S::SIDE;
    const int b_k = WIDE ? t / (S::TILE_N / 4) : t / S::SIDE;
    const float *a = &A[min(row0 + a_row, M - 1) * K + begin + a_k];
    const float *b = &B[(begin + b_k) * N + min(col0 + b_col, N - (WIDE ? 4 : 1))];
    float *a_to = &buffers[a_k * S::A_STRIDE + a_row];
    float *b_to = &buffers[S::A_FLOATS + b_k * S::TILE_N + b_col];
    return {a, b, a_to, b_to, a_k, b_k, N, K};
}

// Adds the products of one k to acc: there and back, so that one factor is always in a register.
template <typename S>
static __device__ __forceinline__ void
add_products(float (&acc)[S::TM][S::TN], const float (&a)[S::TM], const float (&b)[S::TN]) {
    constexpr int LONG = S::TM > S::TN ? S::TM : S::TN, SHORT = S::TM + S::TN - LONG;
#pragma unroll
    for (int x = 0; x < LONG; ++x) {
#pragma unroll
        for (int there = 0; there < SHORT; ++there) {
            const int y = x % 2 == 0 ? there : SHORT - 1 - there;
            const int i = S::TM > S::TN ? x : y, j = S::TM > S::TN ? y : x;
            acc[i][j] += a[i] * b[j];
        }
    }
}

// Adds the products of `slices` slices to acc.  The first slice has `first` terms, the others BK.
template <typename S, bool WIDE>
static __device__ __forceinline__ void multiply(float (&acc)[S::TM][S::TN], float *buffers,
                                                struct copier me, int slices, int first, int m,
                                                int n) {
    // The first slice may be short: only its copies have to be checked.
    copy_some<S, WIDE, true>(me, 0, 0, 2, first);
    copy_some<S, WIDE, true>(me, 0, 1, 2, first);
    __pipeline_commit();
    const long long b_step = (long long)S::BK * me.N;
    if (slices > 1) {
        me.a += first;
        me.b += (long long)first * me.N;
    }
    for (int slice = 1; slice < S::STAGES - 1; ++slice) {
        if (slice < slices) {
            copy_some<S, WIDE, false>(me, slice * S::FLOATS, 0, 2, first);
            copy_some<S, WIDE, false>(me, slice * S::FLOATS, 1, 2, first);
            if (slice + 1 < slices) {
                me.a += S::BK;
                me.b += b_step;
            }
        }
        __pipeline_commit();
    }
    __pipeline_wait_prior(S::STAGES - 2);
    __syncthreads();  // the first slice is full

    __align__(16) float a[2][S::TM], b[2][S::TN];
    const int k0 = threadIdx.x / 32 / S::TILE * S::STEPS;  // my group's first term of each slice
    const float *a_from = &buffers[k0 * S::A_STRIDE + m];
    const float *b_from = &buffers[S::A_FLOATS + k0 * S::TILE_N + n];
    const auto read = [&](int into, int from, int k) {
#pragma unroll
        for (int i = 0; i < S::TM; i += 4) {
            *(float4 *)&a[into][i] =
                *(const float4 *)&a_from[from + k * S::A_STRIDE + i * S::LANES_M];
        }
#pragma unroll
        for (int j = 0; j < S::TN; j += 4) {
            *(float4 *)&b[into][j] =
                *(const float4 *)&b_from[from + k * S::TILE_N + j * S::LANES_N];
        }
    };
    constexpr int LAST = (S::STAGES - 1) * S::FLOATS;
    // Many copies started together would wait for each other.
    constexpr int TURNS = WIDE && S::GROUPS == 1 ? 1 : 2;
    int use = 0;
    int fill = LAST;
    read(0, use, 0);
#pragma unroll 1
    for (int slice = 0; slice < slices; ++slice) {
#pragma unroll
        for (int step = 0; step < S::STEPS; ++step) {
            if (step + 1 < S::STEPS) {
                read((step + 1) % 2, use, step + 1);
            } else {
                __pipeline_wait_prior(S::STAGES - 3);
                __syncthreads();  // the next slice is full, and everyone has read this one
                const int next = use == LAST ? 0 : use + S::FLOATS;
                use = slice + 1 < slices ? next : use;
                read(0, use, 0);
            }
            // Copies start between the products without a branch: at the end the last slice is
            // copied again and again, into buffers that no thread reads.
            if (step % (S::STEPS / TURNS) == 0 && (!S::ASKS || slice + S::STAGES - 1 < slices)) {
                copy_some<S, WIDE, false>(me, fill, step / (S::STEPS / TURNS), TURNS, first);
            }
            add_products<S>(acc, a[step % 2], b[step % 2]);
        }
        __pipeline_commit();
        fill = fill == LAST ? 0 : fill + S::FLOATS;
        if (slice + S::STAGES < slices) {
            me.a += S::BK;
            me.b += b_step;
        }
    }
    __pipeline_wait_prior(0);
    __syncthreads();  // everyone has read the last slice: the buffers are free
}

// The upper half of the groups hands its sums to the lower half, until one group has them all: in
// two pieces, which takes less memory.
template <typename S>
static __device__ __forceinline__ void add_groups(float (&acc)[S::TM][S::TN], float *sums) {
    const int group = threadIdx.x / 32 / S::TILE;
    const int me = threadIdx.x % (S::TILE * 32);
    constexpr int PIECE = S::TM * S::TN / 2;
#pragma unroll
    for (int half = S::GROUPS / 2; half > 0; half /= 2) {
        float *mine = &sums[group % half * PIECE * S::TILE * 32 + me];
#pragma unroll
        for (int piece = 0; piece < 2 * PIECE; piece += PIECE) {
            if (group >= half && group < 2 * half) {
#pragma unroll
                for (int e = 0; e < PIECE; ++e) {
                    mine[e * S::TILE * 32] = acc[(piece + e) / S::TN][e % S::TN];
                }
            }
            __syncthreads();  // the upper half has stored its sums
            if (group < half) {
#pragma unroll
                for (int e = 0; e < PIECE; ++e) {
                    acc[(piece + e) / S::TN][e % S::TN] += mine[e * S::TILE * 32];
                }
            }
            __syncthreads();  // the lower half has added them
        }
    }
}

// Where sums go: element row, col of the tile is to[row * stride + col].  Only elements from row,
// col on and inside rows x cols are stored.
struct target {
    float *to;
    int stride, row, col, rows, cols;
};

// Stores a warp's part, which starts at element m, n of the tile.  It is reordered through shared
// memory, so that the lanes store elements that are side by side.
template <typename S>
static __device__ __forceinline__ void store(const float (&acc)[S::TM][S::TN], float *shared,
                                             const struct target &out, int m, int n, int lane_m,
                                             int lane_n) {
    float *mine = &shared[threadIdx.x / 32 * S::LANES_M * S::C_STRIDE];
#pragma unroll
    for (int i = 0; i < S::TM; ++i) {
#pragma unroll
        for (int j = 0; j < S::TN; ++j) {
            mine[lane_m * S::C_STRIDE + j % 4 * S::C_FOURTH + lane_n + j / 4 * S::LANES_N] =
                acc[i][j];
        }
        __syncwarp();
#pragma unroll
        for (int e = threadIdx.x % 32; e < S::LANES_M * S::WN; e += 32) {
            const int row = m + i / 4 * 4 * S::LANES_M + i % 4 + e / S::WN * 4;
            const int col = n + e % S::WN;
            if (row >= out.row && row < out.rows && col >= out.col && col < out.cols) {
                out.to[row * out.stride + col] =
                    mine[e / S::WN * S::C_STRIDE + e % 4 * S::C_FOURTH + e % S::WN / 4];
            }
        }
        __syncwarp();  // all have read the cells that the next turn overwrites
    }
}

// All tiles of C, one after the other: the first `whole` are computed by a block each.  The slices
// of the `cut` others are distributed evenly over `workers` blocks, so that all end together.
struct deal {
    int across, slices, whole, cut, workers;  // tiles side by side; slices of a tile
};

template <typename S> static __device__ struct deal deal_of(int M, int N, int K) {
    const int across = ceil_div(N, S::TILE_N);
    const int tiles = across * ceil_div(M, S::TILE_M);
    int cut = tiles % S::WORKERS;
    if (S::ANY || cut > S::WORKERS * 9 / 10) {
        cut = 0;  // nearly all blocks have a tile: adding shares would take longer
    }
    const int slices = ceil_div(K, S::BK);
    // Each worker has at least one slice; if several share a tile, no share spans two tiles.
    const int workers = 2 * cut > S::WORKERS ? min(S::WORKERS, cut * slices)
                        : cut > 0            ? min(S::WORKERS / cut, slices) * cut
                                             : 0;
    return {across, slices, tiles - cut, cut, workers};
}

// The first slice of a worker, counted from the first tile that is cut.
static __device__ int share_of(const struct deal &deal, int worker) {
    return deal.cut * deal.slices * worker / deal.workers;
}

// Row and column where a tile starts.  The last tile of a row or column moves back until it is
// whole, and stores only the elements that no other tile stores.
template <typename S>
static __device__ struct target target_of(const struct deal &deal, int tile, float *C, int M, int N,
                                          int *ret_row0, int *ret_col0) {
    const int row = tile / deal.across * S::TILE_M;
    const int col = tile % deal.across * S::TILE_N;
    *ret_row0 = max(0, min(row, M - S::TILE_M));
    *ret_col0 = max(0, min(col, N - S::TILE_N));
    return {&C[*ret_row0 * N + *ret_col0],
            N,
            row - *ret_row0,
            col - *ret_col0,
            M - *ret_row0,
            N - *ret_col0};
}

// Computes this block's part of C.  That is a whole tile, or a share of the tiles that several
// blocks split: at most the end of one tile and the beginning of the next.  A share goes to the
// workspace.
template <typename S>
static __device__ __forceinline__ void product(const float *A, const float *B, float *C, int M,
                                               int N, int K, float *workspace) {
    constexpr int buffers = S::STAGES * S::FLOATS;
    constexpr int sums = S::GROUPS / 2 * S::TILE_M * S::TILE_N / 2;
    __shared__ __align__(16) float shared[buffers > sums ? buffers : sums];

    // Lanes of a warp form squares of 2 x 2, so that neighbours share what a float4 load reads.
    const int warp = threadIdx.x / 32 % S::TILE;
    const int lane = threadIdx.x % 32;
    const int across = lane / 2 % 8;
    const int along = lane % 2 + lane / 16 * 2;
    const int lane_m = S::LANES_M == 8 ? across : along;
    const int lane_n = S::LANES_M == 8 ? along : across;
    const int m = warp / (S::TILE_N / S::WN) * S::WM;
    const int n = warp % (S::TILE_N / S::WN) * S::WN;

    const struct deal deal = deal_of<S>(M, N, K);
    const int worker = (int)blockIdx.x - deal.whole;
    int begin = blockIdx.x * deal.slices;
    int end = begin + deal.slices;
    if (worker >= 0) {
        begin = deal.whole * deal.slices + share_of(deal, worker);
        end = deal.whole * deal.slices + share_of(deal, worker + 1);
    }
#pragma unroll 1
    for (int part = 0; begin < end; ++part) {
        const int tile = begin / deal.slices;
        const int slice = begin % deal.slices;
        const int slices = min(end - begin, deal.slices - slice);
        begin += slices;
        // The first slice of K may be short, all others have BK terms.
        const int stop = K - (deal.slices - 1 - slice) * S::BK;  // end of this slice
        const int start = max(0, stop - S::BK);
        int row0 = 0, col0 = 0;
        struct target out = target_of<S>(deal, tile, C, M, N, &row0, &col0);
        if (worker >= 0) {
            float *share = &workspace[(2 * worker + part) * S::TILE_M * S::TILE_N];
            out = {share, S::TILE_N, 0, 0, S::TILE_M, S::TILE_N};
        }
        float acc[S::TM][S::TN] = {};
        if (N % 4 == 0) {
            multiply<S, true>(acc, shared,
                              copier_of<S, true>(A, B, shared, M, N, K, row0, col0, start), slices,
                              stop - start, m + lane_m * 4, n + lane_n * 4);
        } else {
            multiply<S, false>(acc, shared,
                               copier_of<S, false>(A, B, shared, M, N, K, row0, col0, start),
                               slices, stop - start, m + lane_m * 4, n + lane_n * 4);
        }
        if (S::GROUPS > 1) {
            add_groups<S>(acc, shared);
        }
        if (threadIdx.x < S::TILE * 32) {
            store<S>(acc, shared, out, m, n, lane_m, lane_n);
        }
        __syncthreads();  // all have finished reading the buffers
    }
}

// Adds the shares that workers left of the tiles that are cut.  A thread adds four elements side by
// side; those with the same threadIdx.x take turns over the shares, and then add their sums.
template <typename S>
static __device__ __forceinline__ void add_shares(float *C, int M, int N, int K,
                                                  const float *workspace) {
    constexpr int FOURS = S::TILE_M * S::TILE_N / 4;
    constexpr int AHEAD = 5;  // loads of a thread that are under way together
    __shared__ __align__(16) float sums[4 * ADD_THREADS];
    const struct deal deal = deal_of<S>(M, N, K);
    const int four = blockIdx.x * blockDim.x + threadIdx.x;
    const int tile = four / FOURS;  // number among the tiles that are cut
    const int begin = tile * deal.slices;
    const int first = ((begin + 1) * deal.workers - 1) / (deal.cut * deal.slices);
    const int last = ((begin + deal.slices) * deal.workers - 1) / (deal.cut * deal.slices);
    // The first worker may have the end of the previous tile in its first slot.
    const int slot = share_of(deal, first) < begin ? 1 : 0;
    const float4 *shares = &((const float4 *)workspace)[four % FOURS];
    ptx::griddepcontrol_wait();  // the shares are there; until here the launches overlap
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int turn = first + (int)threadIdx.y; turn <= last; turn += AHEAD * blockDim.y) {
        float4 share[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; ++i) {  // without a branch: the last share again and again
            const int worker = min(turn + i * (int)blockDim.y, last);
            share[i] = shares[(2 * worker + (worker == first ? slot : 0)) * FOURS];
        }
#pragma unroll
        for (int i = 0; i < AHEAD; ++i) {
            const bool exists = turn + i * (int)blockDim.y <= last;
            sum.x += exists ? share[i].x : 0.0f;
            sum.y += exists ? share[i].y : 0.0f;
            sum.z += exists ? share[i].z : 0.0f;
            sum.w += exists ? share[i].w : 0.0f;
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    *(float4 *)&sums[4 * me] = sum;
    __syncthreads();  // all sums of the block are there
    int row0 = 0, col0 = 0;
    const struct target out = target_of<S>(deal, deal.whole + tile, C, M, N, &row0, &col0);
    const int elements = 4 * blockDim.x;
    for (int i = me; i < elements; i += ADD_THREADS) {
        float all = 0.0f;
        for (unsigned int y = 0; y < blockDim.y; ++y) {
            all += sums[y * elements + i];
        }
        const int e = blockIdx.x * elements % (4 * FOURS) + i;
        const int row = e / S::TILE_N;
        const int col = e % S::TILE_N;
        if (row >= out.row && row < out.rows && col >= out.col && col < out.cols) {
            out.to[row * out.stride + col] = all;
        }
    }
}

using Large = shape<64, 256, 8, 64, 64, 16, 8, 1, 3, 2>;
using Flat = shape<64, 128, 16, 64, 64, 16, 8, 2, 3, 2>;  // a C with few rows
using Middle = shape<64, 64, 16, 32, 64, 8, 8, 2, 3, 2>;
using Strip = shape<32, 64, 32, 32, 32, 8, 4, 4, 3, 1>;
using Small = shape<SMALL_ROWS, SMALL_COLS, 64, 16, 32, 4, 4, 8, 3, 1>;
static_assert(Small::THREADS == SMALL_THREADS && Small::ROWS == SMALL_ROWS && Small::ANY,
              "as LAUNCH_CONFIG says; no row or column is copied twice");

// A kernel for a shape, and one that adds the shares that it left.
#define KERNELS(S, name, add_name)                                                                 \
    __global__ void __launch_bounds__(S::THREADS, S::BLOCKS)                                       \
        name(const float *A, const float *B, float *C, int M, int N, int K, float *workspace) {    \
        product<S>(A, B, C, M, N, K, workspace);                                                   \
    }                                                                                              \
    __global__ void __launch_bounds__(ADD_THREADS) add_name(                                       \
        const float *A, const float *B, float *C, int M, int N, int K, float *workspace) {         \
        add_shares<S>(C, M, N, K, workspace);                                                      \
    }
KERNELS(Large, large, add_large)
KERNELS(Flat, flat, add_flat)
KERNELS(Middle, middle, add_middle)
KERNELS(Strip, strip, add_strip)

// Is C at least one tile, K at least two slices, and is there a tile or `terms` terms per worker?
template <typename S> static __device__ bool suits(int M, int N, int K, int terms) {
    const struct deal deal = deal_of<S>(M, N, K);
    const int tiles = deal.whole + deal.cut;
    return M >= S::TILE_M && (N >= S::TILE_N || S::SIDE == S::TILE_N) && K > S::BK &&
           (tiles > S::WORKERS * 9 / 10 || (long long)tiles * K > (long long)S::WORKERS * terms);
}

#define LAUNCH_BOTH(S, name, add_name)                                                             \
    do {                                                                                           \
        const struct deal deal = deal_of<S>(M, N, K);                                              \
        LAUNCH(name, deal.whole + deal.workers, S::THREADS);                                       \
        if (deal.cut > 0) {                                                                        \
            launch->workspace_bytes = 8ull * S::WORKERS * S::TILE_M * S::TILE_N;                   \
            const int turns = deal.workers > 8 * deal.cut ? ADD_TURNS : 1;                         \
            const int blocks = deal.cut * (S::TILE_M * S::TILE_N / 4) * turns / ADD_THREADS;       \
            LAUNCH_DEPENDENT(add_name, blocks, dim3(ADD_THREADS / turns, turns));                  \
        }                                                                                          \
    } while (0)
//@end

// The kernel for all sizes for which LAUNCH_CONFIG launches no other.
__global__ void matmul_challenge(const float *A, const float *B, float *C, int M, int N, int K) {
    //@cut 2 the product, for all other sizes
    product<Small>(A, B, C, M, N, K, nullptr);
    //@end
}

LAUNCH_CONFIG(matmul_challenge, M, N, K) {
    //@cut 3 which kernels for which sizes
    if (suits<Large>(M, N, K, 512)) {
        LAUNCH_BOTH(Large, large, add_large);
        return;
    }
    if (M < 2 * Flat::TILE_M && suits<Flat>(M, N, K, 256)) {
        LAUNCH_BOTH(Flat, flat, add_flat);
        return;
    }
    if (suits<Middle>(M, N, K, 128)) {
        LAUNCH_BOTH(Middle, middle, add_middle);
        return;
    }
    if (suits<Strip>(M, N, K, 64)) {
        LAUNCH_BOTH(Strip, strip, add_strip);
        return;
    }
    //@end
    launch->block = SMALL_THREADS;
    launch->grid = ceil_div(N, SMALL_COLS) * ceil_div(M, SMALL_ROWS);
}

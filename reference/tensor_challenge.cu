// Any kernel, any launch, on tensor cores: tiles by wgmma, K in parts, or WMMA, chosen by size.
//
// Shapes   A [M][K], B [K][N] of half, C [M][N] of float: row-major, no padding, any size from 1.
// Launch   tiles of 128 x 256 if there are many, or of 128 x 192 if that takes less time, else of
//          128 x 64; with few tiles, K in parts, that a last launch adds; small matrices in one
//          launch.  Rows of B that do not start at multiples of 16 bytes are copied to longer ones
//          first; every eighth row of A does.
// Change   several kernels, chosen by size, which overlap; descriptors are computed once; lanes
//          exchange sums, so that each stores 16 bytes, or a warp 32 elements of a row together;
//          half of a large tile is stored while the next one is multiplied.
// Limit    the tensor cores of an SM wait while its block stores the other half.
// Source   the lessons before; A. Kerr et al., "CUTLASS: Fast Linear Algebra in CUDA C++", 2017.
#define KERNEL_USES_HALF
#include <mma.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define CARD          132  // SMs of the card for which sizes are chosen
#define SMALL_ROWS    32   // rows of C in a block, if the matrices are small
#define SMALL_COLS    64   // columns of C in that block
#define SMALL_THREADS 256  // threads of that block: 8 warps, of 16 x 16 elements each

//@cut 1 your kernels, as many as you like, and what they share
#define BM     128         // rows of C in a tile
#define BK     64          // depth of a slice: 128 bytes, the longest row of a swizzled box
#define WIDE   64          // columns of B in a box: also 128 bytes
#define DEPTH  16          // terms that one wgmma adds
#define ROWS   64          // rows of C that one wgmma computes, and so a warpgroup
#define GROUP  8           // tiles above each other that are computed together
#define WARP   32          // threads, and elements of a row that they store together
#define RUNNING 128        // blocks in clusters at a time, unless more save a turn
#define MANY   32          // pairs of tiles of 128 x 256: with more of them, these

#define MULTIPLIERS 256                 // threads that multiply: two warpgroups
#define REGISTERS   232                 // of each of them, where they hold sums of two tiles …
#define REGISTERS_COPYING 40            // … and of each of 128 others: all have 64 Ki together
#define SWIZZLE     128                 // bytes: the pattern of a box in shared memory
#define EIGHT_ROWS  (8 * SWIZZLE)       // bytes of 8 rows of a box, then the pattern repeats
#define PAD_THREADS 128                 // threads of a block that copies to longer rows
#define PAD_WIDTH   256                 // elements of a row that a warp of it copies at a time
#define PAD_PIECES  4                   // times that it does
#define ADD_THREADS 256                 // threads of a block that adds parts

// How C is stored: four elements of a row by a thread, if N is a multiple of 4, or rows by a warp.
// (A kernel that has both is slower.)
enum stores { BY_FOURS, BY_ROWS, BY_EITHER };

// The columns of a tile, the slices in shared memory, the blocks of a cluster (with tiles above
// each other, that share B), and the kinds of rows of A (see kinds_of).
template <int COLS_C, int BUFFERS, int BLOCKS, int ROW_KINDS, enum stores HOW> struct shape {
    static constexpr int BN = COLS_C, STAGES = BUFFERS, CLUSTER = BLOCKS, KINDS = ROW_KINDS;
    static constexpr enum stores STORES = HOW;
    static constexpr int STRIP = HOW == BY_FOURS ? 16 : WARP;  // columns that are stored together
    static constexpr int STRIPS = BN / STRIP;
    static constexpr int LATER = HOW == BY_FOURS ? STRIPS * 9 / 16 : 0;     // strips; see `later`
    static constexpr int THREADS = MULTIPLIERS + (LATER > 0 ? 128 : WARP);  // and those that copy
    struct slice {
        __half a[BM][BK];
        __half b[BN / WIDE][BK][WIDE];
    };
};
typedef shape<256, 4, 2, 1, BY_FOURS> Large;
typedef shape<192, 5, 2, 1, BY_FOURS> Middle;
typedef shape<256, 4, 2, 1, BY_ROWS> Ragged;
typedef shape<256, 4, 2, 8, BY_ROWS> ByKind;
typedef shape<64, 8, 1, 1, BY_EITHER> Small;

template <typename S> struct ring {
    typename S::slice slice[S::STAGES];
    float strip[MULTIPLIERS / WARP][16][WARP + 4];  // of each warp, on its way to C
    unsigned long long full[S::STAGES];   // phase by phase: the copies of a slice have arrived
    unsigned long long empty[S::STAGES];  // phase by phase: all warps are done with it
    unsigned long long cleared[MULTIPLIERS / 128];  // phase by phase: see clear_before
};

// A place in the ring.
struct turn {
    int stage, parity;
};
template <typename S> static __device__ __forceinline__ void next(struct turn &turn) {
    turn.stage = turn.stage + 1 == S::STAGES ? 0 : turn.stage + 1;
    turn.parity ^= turn.stage == 0;
}

static __device__ __forceinline__ void wait_for(unsigned long long *mbarrier, int parity) {
    while (!ptx::mbarrier_try_wait_parity(mbarrier, parity)) {
    }
}

// A tensor map takes rows that start at multiples of 16 bytes: 8 elements.
static __host__ __device__ constexpr int padded(int length) {
    return ceil_div(length, 8) * 8;
}

// If K is no multiple of 8, 8 K is: rows k, k + 8, k + 16 ... of A are a matrix for a tensor map,
// which begins up to 7 elements before row k, at a multiple of 16 bytes.  So there are 8 kinds of
// rows, and a tile has rows of one kind.  It pays if that makes no more tiles, of the large ones.
static __host__ __device__ int kinds_of(int M, int N, int K) {
    const int pairs = ceil_div(M, 2 * BM) * ceil_div(N, Large::BN);
    const int by_kind = ByKind::KINDS * ceil_div(ceil_div(M, ByKind::KINDS), 2 * BM) *
                        ceil_div(N, ByKind::BN);
    return K % 8 != 0 && pairs > MANY && by_kind == pairs ? ByKind::KINDS : 1;
}

// How many parts K has: if C has few tiles, as many as there are SMs for, of at least 8 slices.
static __host__ __device__ int parts_of(int M, int N, int K) {
    const int parts = min(CARD / (ceil_div(M, BM) * ceil_div(N, Small::BN)), ceil_div(K, BK) / 8);
    return parts > 1 ? parts : 1;
}

// How many blocks compute the tiles, and how many columns each of them, one tile after the other.
// All SMs take part only if they need fewer turns: fewer blocks find more in the L2 cache.
struct plan {
    int blocks, cols;
};
template <typename S> static __device__ struct plan plan_of(int M, int N) {
    const int tiles = S::CLUSTER * ceil_div(M, S::CLUSTER * BM) * ceil_div(N, S::BN);
    const int blocks = ceil_div(tiles, CARD) < ceil_div(tiles, RUNNING) ? CARD : RUNNING;
    return {min(tiles, blocks), ceil_div(tiles, blocks) * S::BN};
}

// Rows of the tiles that clusters compute together.
template <typename S> static __device__ int rows_of(int M) {
    return S::KINDS * ceil_div(ceil_div(M, S::KINDS), S::CLUSTER * BM);
}

// What a block computes next: a tile, or one part of K of it.
struct work {
    int kind;        // of rows
    int row, col;    // the tile's first row among those of its kind, and first column
    int before;      // elements between the start of the map and a row
    int part;
    int first, end;  // slices
};
// GROUP tiles above each other are computed column after column, so that blocks that run together
// find their tiles of A and B in the L2 cache.
template <typename S>
static __device__ struct work work_of(int number, int rank, int parts, int M, int N, int K) {
    const int rows = rows_of<S>(M), cols = ceil_div(N, S::BN);
    const int part = parts == 1 ? 0 : number / (rows * cols), tile = number - part * (rows * cols);
    const int above = tile / (GROUP * cols) * GROUP, within = tile % (GROUP * cols);
    const int high = min(GROUP, rows - above), row = above + within % high;
    const int kind = row % S::KINDS, before = kind * (K % 8) % 8;
    const int slices = ceil_div(before + K, BK);
    return {kind, (row / S::KINDS * S::CLUSTER + rank) * BM, within / high * S::BN, before, part,
            parts == 1 ? 0 : slices * part / parts,
            parts == 1 ? slices : slices * (part + 1) / parts};
}

// Copies all slices of a tile, one after the other.  maps: B, then each kind of rows of A.
template <typename S>
static __device__ __forceinline__ void copy_slices(struct ring<S> *shared, const tensor_maps *maps,
                                                   struct work work, int rank, struct turn &turn) {
    for (int t = work.first * BK; t < work.end * BK; t += BK, next<S>(turn)) {
        auto *to = &shared->slice[turn.stage];
        unsigned long long *full = &shared->full[turn.stage];
        wait_for(&shared->empty[turn.stage], turn.parity ^ 1);
        ptx::mbarrier_arrive_expect_tx(full, sizeof *to);
        ptx::cp_async_bulk_tensor_2d_shared_global(to->a, &maps->at[1 + work.kind], t, work.row,
                                                   full);
        if (S::KINDS > 1) {
            ptx::griddepcontrol_wait();  // the longer rows of B are there; A has none
        }
        for (int i = rank; i < S::BN / WIDE; i += S::CLUSTER) {
            const int row = t - work.before, col = work.col + i * WIDE;
            if (S::CLUSTER == 1) {
                ptx::cp_async_bulk_tensor_2d_shared_global(to->b[i], &maps->at[0], col, row, full);
            } else {
                ptx::cp_async_bulk_tensor_2d_shared_global_multicast(to->b[i], &maps->at[0], col,
                                                                     row, full, 3);
            }
        }
    }
}

// The elements of A before a row are the end of another row.  They would be multiplied by zeros,
// from above B, but infinity times zero is no zero.
template <typename S>
static __device__ __forceinline__ void clear_before(struct ring<S> *shared, int stage, int before,
                                                    int parity) {
    const int group = threadIdx.x / 128, row = group * ROWS + threadIdx.x % ROWS;
    if (threadIdx.x % 128 < ROWS) {
        for (int i = 0; i < before; ++i) {
            shared->slice[stage].a[row][row % 8 * 8 + i] = __float2half(0.0f);  // swizzled
        }
    }
    ptx::fence_proxy_async();
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
        ptx::mbarrier_arrive(&shared->cleared[group]);
    }
    wait_for(&shared->cleared[group], parity);
}

static __device__ __forceinline__ void multiply_16(float (&acc)[128], unsigned long long a,
                                                   unsigned long long b, int more) {
    ptx::wgmma_m64n256k16_f16<0, 1>(acc, a, b, more);
}
static __device__ __forceinline__ void multiply_16(float (&acc)[96], unsigned long long a,
                                                   unsigned long long b, int more) {
    ptx::wgmma_m64n192k16_f16<0, 1>(acc, a, b, more);
}
static __device__ __forceinline__ void multiply_16(float (&acc)[32], unsigned long long a,
                                                   unsigned long long b, int more) {
    ptx::wgmma_m64n64k16_f16<0, 1>(acc, a, b, more);
}

// Hands a buffer back, to all blocks that copy to it.  An arrival that hands on stores is slower.
template <typename S>
static __device__ __forceinline__ void hand_back(unsigned long long *empty, bool has_stored) {
    const int lane = threadIdx.x % 32;
    if (S::CLUSTER == 1 && lane == 0) {
        ptx::mbarrier_arrive(empty);
    }
    if (S::CLUSTER > 1 && lane < S::CLUSTER) {
        if (S::KINDS > 1 && has_stored) {
            ptx::mbarrier_arrive_cluster(empty, lane);
        } else {
            ptx::mbarrier_arrive_relaxed_cluster(empty, lane);
        }
    }
}

// Descriptors of my factors in the first buffer; in the others they are a fixed number larger.
struct factors {
    unsigned long long a, b;
};
template <typename S> static __device__ struct factors factors_of(struct ring<S> *shared) {
    const auto *slice = &shared->slice[0];
    return {ptx::wgmma_descriptor(slice->a[threadIdx.x / 128 * ROWS], 16, EIGHT_ROWS, SWIZZLE),
            ptx::wgmma_descriptor(slice->b, sizeof slice->b[0], EIGHT_ROWS, SWIZZLE)};
}

// Sums of the last strips of a tile.  They are stored while the next tile is multiplied, a strip
// after each slice, so that the tensor cores wait only while the first strips are stored.
template <typename S> struct later {
    float sum[S::LATER > 0 ? S::LATER * S::STRIP / 2 : 1];
    struct work work;
};

// Starts the products of a slice; they are added to the sums, or are the first of them.
template <typename S, bool IS_FIRST>
static __device__ __forceinline__ void multiply_slice(float (&acc)[S::BN / 2],
                                                      struct factors factors, int stage) {
    const unsigned offset = stage * (unsigned)(sizeof(typename S::slice) / 16);
    ptx::wgmma_fence();
#pragma unroll
    for (int k = 0; k < BK; k += DEPTH) {
        multiply_16(acc, factors.a + offset + k * sizeof(__half) / 16,
                    factors.b + offset + k * SWIZZLE / 16, IS_FIRST && k == 0 ? 0 : 1);
    }
    ptx::wgmma_commit_group();
}

// Stores a strip of a warp's 16 rows, from `row` of its kind on, if rows of C start at multiples of
// 16 bytes: of two blocks of 8 columns, a lane gives its neighbour two sums of one and
// gets two of the other, so that each stores four elements of a row.
template <typename S>
static __device__ __forceinline__ void store_fours(const float *sum, float *to, int M,
                                                   int N, int kind, int row, int col) {
    const int lane = threadIdx.x % 32, odd = lane % 2;
#pragma unroll
    for (int j = 0; j < S::STRIP / 8; ++j) {
        const float *left = &sum[j / 2 * 8 + j % 2 * 2], *right = left + 4;
        const float x = __shfl_xor_sync(~0u, odd ? left[0] : right[0], 1);
        const float y = __shfl_xor_sync(~0u, odd ? left[1] : right[1], 1);
        const int r = (row + lane / 4 + j % 2 * 8) * S::KINDS + kind;
        const int c = col + j / 2 * 16 + odd * 8 + lane % 4 / 2 * 4;
        if (r < M && c < N) {
            *(float4 *)&to[(size_t)r * N + c] = odd ? make_float4(x, y, right[0], right[1])
                                                    : make_float4(left[0], left[1], x, y);
        }
    }
}

// Stores it, whatever N is: it goes through shared memory, so that a warp stores 32 elements of a
// row together.
template <typename S>
static __device__ __forceinline__ void store_rows(const float *sum,
                                                  float (*strip)[WARP + 4], float *to, int M,
                                                  int N, int kind, int row, int col) {
    const int lane = threadIdx.x % 32;
    if (row * S::KINDS + kind >= M || col >= N) {
        return;  // the whole warp
    }
#pragma unroll
    for (int i = 0; i < WARP / 2; i += 2) {
        *(float2 *)&strip[lane / 4 + i / 2 % 2 * 8][lane % 4 * 2 + i / 4 * 8] =
            make_float2(sum[i], sum[i + 1]);
    }
    __syncwarp();  // the strip is full
#pragma unroll
    for (int i = 0; i < 16; ++i) {
        const int r = (row + i) * S::KINDS + kind;
        if (r < M && col + lane < N) {
            to[(size_t)r * N + col + lane] = strip[i][lane];
        }
    }
    __syncwarp();  // it has been read
}

// to: C, or the parts of K, of M x N elements each.
template <typename S>
static __device__ __forceinline__ void store_strip(const float *sum,
                                                   struct ring<S> *shared, float *to, int M, int N,
                                                   struct work work, int number) {
    const int warp = threadIdx.x / 32, row = work.row + warp * 16;
    const int col = work.col + number * S::STRIP;
    to += (size_t)work.part * M * N;
    if (S::STORES == BY_FOURS || (S::STORES == BY_EITHER && N % 4 == 0)) {
        store_fours<S>(sum, to, M, N, work.kind, row, col);
    } else {
        store_rows<S>(sum, shared->strip[warp], to, M, N, work.kind, row, col);
    }
}

// Stores strips, the sums of the first of which are sums[0] and so on.
template <typename S>
static __device__ __forceinline__ void store_strips(const float *sums, struct ring<S> *shared,
                                                    float *to, int M, int N, struct work work,
                                                    int first, int end) {
#pragma unroll
    for (int j = first; j < end; ++j) {
        store_strip(sums + (j - first) * S::STRIP / 2, shared, to, M, N, work, j);
    }
}

// Sums up the products of all slices of a tile; one slice is multiplied while the next is started.
// The first one has code of its own, so that the others need not ask.
template <typename S>
static __device__ __forceinline__ void
multiply_slices(float (&acc)[S::BN / 2], struct ring<S> *shared, struct factors factors,
                struct work work, struct turn &turn, int parity, const struct later<S> &later,
                bool has_later, float *to, int M, int N) {
    bool has_stored = S::KINDS > 1 && work.before > 0;
    wait_for(&shared->full[turn.stage], turn.parity);
    if (has_stored) {
        clear_before(shared, turn.stage, work.first == 0 ? work.before : 0, parity);
    }
    multiply_slice<S, true>(acc, factors, turn.stage);
    int before = turn.stage, i = work.first + 1;
    next<S>(turn);
    const auto start = [&] {
        wait_for(&shared->full[turn.stage], turn.parity);
        multiply_slice<S, false>(acc, factors, turn.stage);
    };
    const auto end = [&] {  // of the slice before
        ptx::wgmma_wait_group<1>();
        hand_back<S>(&shared->empty[before], has_stored);
        has_stored = false;
        before = turn.stage;
        next<S>(turn);
    };
    if (has_later) {
#pragma unroll
        for (int j = 0; j < S::LATER; ++j, ++i) {
            start();
            store_strip(later.sum + j * S::STRIP / 2, shared, to, M, N, later.work,
                        S::STRIPS - S::LATER + j);
            end();
        }
    }
    for (; i < work.end; ++i) {
        start();
        end();
    }
    ptx::wgmma_wait_group<0>();
    hand_back<S>(&shared->empty[before], has_stored);
}

template <typename S> static __device__ struct ring<S> *begin() {
    extern __shared__ __align__(1024) unsigned char memory[];
    auto *shared = (struct ring<S> *)memory;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < S::STAGES; ++stage) {
            ptx::mbarrier_init(&shared->full[stage], 1);
            ptx::mbarrier_init(&shared->empty[stage], MULTIPLIERS / 32 * S::CLUSTER);  // warps
        }
        ptx::mbarrier_init(&shared->cleared[0], 4);
        ptx::mbarrier_init(&shared->cleared[1], 4);
        ptx::fence_mbarrier_init();
    }
    if (S::CLUSTER == 1) {
        __syncthreads();  // the mbarriers are initialised
    } else {
        __syncwarp();
        ptx::cluster_arrive();  // those of both blocks are
        ptx::cluster_wait();
    }
    return shared;
}

// Tiles or parts of tiles, one after the other; parts are stored from `parts_at` on.
template <typename S>
static __device__ __forceinline__ void product(float *C, int M, int N, int K, int parts,
                                               float *parts_at, const tensor_maps *maps) {
    for (int i = 0; i <= S::KINDS && threadIdx.x == MULTIPLIERS; ++i) {
        ptx::prefetch_tensormap(&maps->at[i]);
    }
    struct ring<S> *shared = begin<S>();
    const int rank = S::CLUSTER == 1 ? 0 : ptx::cluster_ctarank();
    const int count = rows_of<S>(M) * ceil_div(N, S::BN) * parts, step = gridDim.x / S::CLUSTER;
    const int first = blockIdx.x / S::CLUSTER;
    struct turn turn = {0, 0};
    if (threadIdx.x >= MULTIPLIERS) {
        if (S::LATER > 0) {
            ptx::setmaxnreg_dec<REGISTERS_COPYING>();
        }
        if (S::KINDS == 1) {
            ptx::griddepcontrol_wait();  // the longer rows are there, of A too if it has some
        }
        for (int i = first; i < count && threadIdx.x == MULTIPLIERS; i += step) {
            copy_slices(shared, maps, work_of<S>(i, rank, parts, M, N, K), rank, turn);
        }
    } else {
        if (S::LATER > 0) {
            ptx::setmaxnreg_inc<REGISTERS>();
        }
        const struct factors factors = factors_of(shared);
        const bool is_long = K / BK / parts > S::LATER;  // slices enough to store strips after
        float *to = parts == 1 ? C : parts_at;
        float acc[S::BN / 2];
        struct later<S> later;
        int parity = 0;  // of `cleared`
        for (int i = first; i < count; i += step) {
            const struct work work = work_of<S>(i, rank, parts, M, N, K);
            multiply_slices(acc, shared, factors, work, turn, parity, later, is_long && i > first,
                            to, M, N);
            parity ^= work.before > 0;
            store_strips<S>(acc, shared, to, M, N, work, 0, S::STRIPS - S::LATER);
            later.work = work;
#pragma unroll
            for (int j = 0; j < S::LATER * S::STRIP / 2; ++j) {
                later.sum[j] = acc[(S::STRIPS - S::LATER) * S::STRIP / 2 + j];
            }
            if (!is_long || i + step >= count) {
                store_strips<S>(later.sum, shared, to, M, N, work, S::STRIPS - S::LATER, S::STRIPS);
            }
        }
    }
    if (S::CLUSTER > 1) {
        __syncwarp();
        ptx::cluster_arrive();  // no block ends while the other one copies to it, or arrives there
        ptx::cluster_wait();
    }
}

// Elements of the longer rows of A, and of those of B, which follow them in the workspace; the
// parts of K come last.
static __host__ __device__ size_t padded_a(int M, int N, int K) {
    return K % 8 != 0 && kinds_of(M, N, K) == 1 ? (size_t)M * padded(K) : 0;
}
static __host__ __device__ size_t padded_b(int N, int K) {
    return N % 8 != 0 ? (size_t)K * padded(N) : 0;
}
static __device__ float *parts_in(float *workspace, int M, int N, int K) {
    return workspace + (padded_a(M, N, K) + padded_b(N, K)) / 2;  // two to a float
}

__global__ void __cluster_dims__(Large::CLUSTER, 1, 1) __launch_bounds__(Large::THREADS, 1)
    large(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
          const __grid_constant__ tensor_maps maps) {
    product<Large>(C, M, N, K, 1, nullptr, &maps);
}
__global__ void __cluster_dims__(Middle::CLUSTER, 1, 1) __launch_bounds__(Middle::THREADS, 1)
    middle(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
           const __grid_constant__ tensor_maps maps) {
    product<Middle>(C, M, N, K, 1, nullptr, &maps);
}
__global__ void __cluster_dims__(Ragged::CLUSTER, 1, 1) __launch_bounds__(Ragged::THREADS, 1)
    ragged(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
           const __grid_constant__ tensor_maps maps) {
    product<Ragged>(C, M, N, K, 1, nullptr, &maps);
}
__global__ void __cluster_dims__(ByKind::CLUSTER, 1, 1) __launch_bounds__(ByKind::THREADS, 1)
    by_kind(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
            const __grid_constant__ tensor_maps maps) {
    product<ByKind>(C, M, N, K, 1, nullptr, &maps);
}
__global__ void __launch_bounds__(Small::THREADS, 1)
    small(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
          const __grid_constant__ tensor_maps maps) {
    ptx::griddepcontrol_launch_dependents();  // `add` may begin, and waits
    product<Small>(C, M, N, K, parts_of(M, N, K), parts_in(workspace, M, N, K), &maps);
}

__global__ void add(const __half *A, const __half *B, float *C, int M, int N, int K,
                    float *workspace) {
    ptx::griddepcontrol_wait();  // the parts are there
    const float *parts_at = parts_in(workspace, M, N, K);
    const int i = blockIdx.x * ADD_THREADS + threadIdx.x, parts = parts_of(M, N, K);
    float sum = 0.0f;
    for (int part = 0; part < parts && i < M * N; ++part) {
        sum += parts_at[(size_t)part * M * N + i];
    }
    if (i < M * N) {
        C[i] = sum;
    }
}

// Copies the rows of A, if it has longer ones, then those of B.  A thread copies 8 elements of each
// of a warp's pieces, in words of two.  If they begin in the middle of a word, it moves them by
// half a word.
static __host__ __device__ int pieces_of(size_t bytes, int height, int width) {
    return bytes > 0 ? height * ceil_div(width, PAD_WIDTH) : 0;
}
__global__ void pad(const __half *A, const __half *B, float *C, int M, int N, int K,
                    float *workspace) {
    ptx::griddepcontrol_launch_dependents();
    const size_t size_a = padded_a(M, N, K), size_b = padded_b(N, K);
    const int of_a = pieces_of(size_a, M, K), count = of_a + pieces_of(size_b, K, N);
    const int warps = gridDim.x * (PAD_THREADS / 32);
    unsigned word[PAD_PIECES][5];
    bool is_odd[PAD_PIECES];
    uint4 *to[PAD_PIECES];
#pragma unroll
    for (int p = 0; p < PAD_PIECES; ++p) {
        const int number = (blockIdx.x * PAD_THREADS + threadIdx.x) / 32 + p * warps;
        const bool is_a = number < of_a;
        const int piece = is_a ? number : number - of_a;
        const int height = is_a ? M : K, width = is_a ? K : N;
        const int row = piece / ceil_div(width, PAD_WIDTH);
        const int col = piece % ceil_div(width, PAD_WIDTH) * PAD_WIDTH + threadIdx.x % 32 * 8;
        const __half *from = is_a ? A : B;
        __half *rows = (__half *)workspace + (is_a ? 0 : size_a);
        const size_t end = (size_t)height * width, at = (size_t)row * width + col;
        const bool is_mine = number < count && col < width;
        is_odd[p] = at % 2 == 1;
        to[p] = is_mine ? (uint4 *)&rows[(size_t)row * padded(width) + col] : nullptr;
#pragma unroll
        for (int i = 0; i < 5; ++i) {
            const size_t first = at / 2 * 2 + i * 2;
            word[p][i] = !is_mine          ? 0
                         : first + 1 < end ? *(const unsigned *)&from[first]
                         : first < end     ? *(const unsigned short *)&from[first]
                                           : 0;
        }
    }
#pragma unroll
    for (int p = 0; p < PAD_PIECES; ++p) {
#pragma unroll
        for (int i = 0; i < 4 && is_odd[p]; ++i) {
            word[p][i] = __funnelshift_r(word[p][i], word[p][i + 1], 16);
        }
        if (to[p]) {
            *to[p] = make_uint4(word[p][0], word[p][1], word[p][2], word[p][3]);
        }
    }
}
//@end

// The kernel for all sizes for which LAUNCH_CONFIG launches no other.
__global__ void tensor_challenge(const __half *A, const __half *B, float *C, int M, int N, int K) {
    //@cut 2 the product, for all other sizes
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
    //@end
}

LAUNCH_CONFIG(tensor_challenge, M, N, K) {
    //@cut 3 which kernels for which sizes
    const int tiles = ceil_div(M, BM) * ceil_div(N, Small::BN);
    const int pairs = ceil_div(M, Large::CLUSTER * BM) * ceil_div(N, Large::BN);
    const int kinds = kinds_of(M, N, K), parts = pairs > MANY ? 1 : parts_of(M, N, K);
    const size_t size_a = padded_a(M, N, K), size_b = padded_b(N, K);
    const size_t bytes = sizeof(__half) * (size_a + size_b) +
                         (parts > 1 ? sizeof(float) * parts * M * N : 0);
    const bool is_small = tiles <= 8 && K <= 128;
    if (!is_small && bytes <= WORKSPACE_BYTES_MAX) {
        launch->workspace_bytes = bytes;
        launch_tensor(launch, 0, size_b > 0 ? TENSOR_WORKSPACE : 1, TENSOR_FP16, K, N, padded(N),
                      BK, WIDE, SWIZZLE, size_b > 0 ? sizeof(__half) * size_a : 0);
        const int pitch = size_a > 0 ? padded(K) : kinds * K;
        for (int kind = 0; kind < kinds; ++kind) {
            const int before = kinds == 1 ? 0 : kind * (K % 8) % 8;
            launch_tensor(launch, 1 + kind, size_a > 0 ? TENSOR_WORKSPACE : 0, TENSOR_FP16,
                          ceil_div(M - kind, kinds), before + K, pitch, BM, BK, SWIZZLE,
                          sizeof(__half) * ((size_t)kind * K - before));
        }
        if (size_a + size_b > 0) {
            const int pieces = pieces_of(size_a, M, K) + pieces_of(size_b, K, N);
            LAUNCH(pad, ceil_div(pieces, PAD_THREADS / 32 * PAD_PIECES), PAD_THREADS);
        }
        // Narrower tiles need more bytes for each product, so they must save some columns.
        const struct plan plan = plan_of<Large>(M, N), narrower = plan_of<Middle>(M, N);
        if (pairs > MANY && kinds > 1) {
            LAUNCH_DEPENDENT(by_kind, plan.blocks, ByKind::THREADS, sizeof(struct ring<ByKind>));
        } else if (pairs > MANY && N % 4 != 0) {
            LAUNCH_DEPENDENT(ragged, plan.blocks, Ragged::THREADS, sizeof(struct ring<Ragged>));
        } else if (pairs > MANY && narrower.cols * 16 < plan.cols * 15) {
            LAUNCH_DEPENDENT(middle, narrower.blocks, Middle::THREADS, sizeof(struct ring<Middle>));
        } else if (pairs > MANY) {
            LAUNCH_DEPENDENT(large, plan.blocks, Large::THREADS, sizeof(struct ring<Large>));
        } else {
            LAUNCH_DEPENDENT(small, min(tiles * parts, CARD), Small::THREADS,
                             sizeof(struct ring<Small>));
        }
        if (parts > 1) {
            LAUNCH_DEPENDENT(add, ceil_div(M * N, ADD_THREADS), ADD_THREADS);
        }
        return;
    }
    //@end
    launch->block = SMALL_THREADS;
    launch->grid = dim3(ceil_div(N, SMALL_COLS), ceil_div(M, SMALL_ROWS));
}

// Any kernel, any launch, on tensor cores: tiles by wgmma, K in parts, or WMMA, chosen by size.
//
// Shapes   A [M][K], B [K][N] of half, C [M][N] of float: row-major, no padding, any size from 1.
// Launch   tiles of 128 x 256 if there are many, else of 128 x 128; with few tiles, K in parts,
//          which a last launch adds; small matrices in one launch.  Rows that do not start at
//          multiples of 16 bytes are copied to longer ones first.
// Change   several kernels, chosen by size; two warpgroups multiply in turns, a tile each; lanes
//          exchange sums, so that each stores 16 bytes, or a warp 32 elements of a row together.
// Limit    in the largest tiles, the tensor cores of an SM wait while its block stores a tile.
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
#define GROUP  8           // tiles above each other that are computed together
#define STRIP  32          // columns that a warp stores together
#define MANY   600         // tiles of 128 x 128: with more of them, large ones

#define MULTIPLIERS 256                 // threads that multiply: two warpgroups
#define THREADS     (MULTIPLIERS + 32)  // and the warp of the thread that copies
#define SWIZZLE     128                 // bytes: the pattern of a box in shared memory
#define EIGHT_ROWS  (8 * SWIZZLE)       // bytes of 8 rows of a box, then the pattern repeats
#define PAD_THREADS 128                 // threads of a block that copies to longer rows
#define PAD_WIDTH   256                 // elements that a warp of it copies
#define ADD_THREADS 256                 // threads of a block that adds parts

// The columns of a tile, the slices in shared memory, and the blocks of a cluster: their tiles are
// above each other and share B.  The two warpgroups of a block multiply one half of its tile each,
// or two tiles in turns: while one stores a tile, the other multiplies.
template <int COLS_C, int BUFFERS, int BLOCKS, bool IN_TURNS> struct shape {
    static constexpr int BN = COLS_C, STAGES = BUFFERS, CLUSTER = BLOCKS;
    static constexpr bool TURNS = IN_TURNS;
    static constexpr int HALVES = TURNS ? 2 : 1;         // of 64 rows, that a warpgroup multiplies
    static constexpr int USERS = TURNS ? 4 : 8 * BLOCKS;  // warps that hand a buffer back
};
typedef shape<256, 4, 2, false> Large;
typedef shape<128, 6, 1, true> Middle;

template <typename S> struct ring {
    struct {
        __half a[BM][BK];
        __half b[S::BN / WIDE][BK][WIDE];
    } slice[S::STAGES];
    float strip[MULTIPLIERS / 32][16][STRIP + 4];  // of each warp, on its way to C
    unsigned long long full[S::STAGES];   // phase by phase: the copies of a slice have arrived
    unsigned long long empty[S::STAGES];  // phase by phase: all warps are done with it
    unsigned long long go[2];             // phase by phase: it is this warpgroup's turn
};

static __device__ __forceinline__ void wait_for(unsigned long long *mbarrier, int parity) {
    while (!ptx::mbarrier_try_wait_parity(mbarrier, parity)) {
    }
}

// How many parts K has: if C has few tiles, as many as there are SMs for, of at least 8 slices.
static __host__ __device__ int parts_of(int M, int N, int K) {
    const int parts = min(CARD / (ceil_div(M, BM) * ceil_div(N, Middle::BN)), ceil_div(K, BK) / 8);
    return parts > 2 ? parts : 1;
}

// What a block computes next: a tile, or one part of K of it.
struct work {
    int row, col, part;
    int first, end;  // slices
};
// GROUP tiles above each other are computed column after column, so that blocks that run together
// find their tiles of A and B in the L2 cache.
template <typename S>
static __device__ struct work work_of(int number, int rank, int parts, int M, int N, int K) {
    const int rows = ceil_div(M, S::CLUSTER * BM), cols = ceil_div(N, S::BN);
    const int part = number / (rows * cols), tile = number % (rows * cols);
    const int above = tile / (GROUP * cols) * GROUP, within = tile % (GROUP * cols);
    const int high = min(GROUP, rows - above), slices = ceil_div(K, BK);
    return {((above + within % high) * S::CLUSTER + rank) * BM, within / high * S::BN, part,
            slices * part / parts, slices * (part + 1) / parts};
}

// Copies all slices of a tile, one after the other.
template <typename S>
static __device__ __forceinline__ void copy_slices(struct ring<S> *shared, const tensor_maps *maps,
                                                   struct work work, int rank, unsigned number) {
    for (int t = work.first * BK; t < work.end * BK; t += BK, ++number) {
        const int stage = number % S::STAGES, parity = number / S::STAGES % 2;
        auto *to = &shared->slice[stage];
        unsigned long long *full = &shared->full[stage];
        wait_for(&shared->empty[stage], parity ^ 1);
        ptx::mbarrier_arrive_expect_tx(full, sizeof *to);
        ptx::cp_async_bulk_tensor_2d_shared_global(to->a, &maps->at[0], t, work.row, full);
        for (int i = rank; i < S::BN / WIDE; i += S::CLUSTER) {
            const int col = work.col + i * WIDE;
            if (S::CLUSTER == 1) {
                ptx::cp_async_bulk_tensor_2d_shared_global(to->b[i], &maps->at[1], col, t, full);
            } else {
                ptx::cp_async_bulk_tensor_2d_shared_global_multicast(to->b[i], &maps->at[1], col, t,
                                                                     full, 3);
            }
        }
    }
}

static __device__ __forceinline__ void multiply_16(float (&acc)[128], unsigned long long a,
                                                   unsigned long long b, int more) {
    ptx::wgmma_m64n256k16_f16<0, 1>(acc, a, b, more);
}
static __device__ __forceinline__ void multiply_16(float (&acc)[64], unsigned long long a,
                                                   unsigned long long b, int more) {
    ptx::wgmma_m64n128k16_f16<0, 1>(acc, a, b, more);
}

// Hands a buffer back, to all blocks that copy to it.
template <typename S> static __device__ __forceinline__ void hand_back(unsigned long long *empty) {
    if (S::CLUSTER == 1 && threadIdx.x % 32 == 0) {
        ptx::mbarrier_arrive(empty);
    }
    if (S::CLUSTER > 1 && threadIdx.x % 32 < S::CLUSTER) {
        ptx::mbarrier_arrive_relaxed_cluster(empty, threadIdx.x % 32);
    }
}

// Starts the products of a slice; they are added to the sums, or are the first of them.
template <typename S, bool IS_FIRST>
static __device__ __forceinline__ void multiply_slice(float (&acc)[S::HALVES][S::BN / 2],
                                                      struct ring<S> *shared, unsigned number) {
    auto *slice = &shared->slice[number % S::STAGES];
    wait_for(&shared->full[number % S::STAGES], number / S::STAGES % 2);
    ptx::wgmma_fence();
#pragma unroll
    for (int k = 0; k < BK; k += DEPTH) {
        const unsigned long long b =
            ptx::wgmma_descriptor(slice->b[0][k], sizeof slice->b[0], EIGHT_ROWS, SWIZZLE);
#pragma unroll
        for (int half = 0; half < S::HALVES; ++half) {
            const int row = (S::TURNS ? half : threadIdx.x / 128) * 64;  // in the tile
            const unsigned long long a =
                ptx::wgmma_descriptor(&slice->a[row][k], 16, EIGHT_ROWS, SWIZZLE);
            multiply_16(acc[half], a, b, IS_FIRST && k == 0 ? 0 : 1);
        }
    }
    ptx::wgmma_commit_group();
}

// Sums up the products of all slices of a tile; one slice is multiplied while the next is started.
// The first one has code of its own, so that the others need not ask.
template <typename S>
static __device__ __forceinline__ void multiply_slices(float (&acc)[S::HALVES][S::BN / 2],
                                                       struct ring<S> *shared, int count,
                                                       unsigned number) {
    multiply_slice<S, true>(acc, shared, number);
    for (const unsigned end = number + count; ++number < end;) {
        multiply_slice<S, false>(acc, shared, number);
        ptx::wgmma_wait_group<1>();
        hand_back<S>(&shared->empty[(number - 1) % S::STAGES]);
    }
    if (S::TURNS && threadIdx.x % 32 == 0) {
        ptx::mbarrier_arrive(&shared->go[1 - threadIdx.x / 128]);
    }
    ptx::wgmma_wait_group<0>();
    hand_back<S>(&shared->empty[(number - 1) % S::STAGES]);
}

// Stores a warp's 16 rows of sums.  Rows that start at multiples of 16 bytes: of two blocks of 8
// columns, a lane gives its neighbour two sums of one and gets two of the other.  Other rows: 32
// columns at a time go through shared memory, so that a warp stores 32 elements of a row together.
template <typename S>
static __device__ __forceinline__ void store(const float (&acc)[S::BN / 2],
                                             float (*strip)[STRIP + 4], float *to, int M, int N,
                                             int row, int first_col) {
    const int lane = threadIdx.x % 32, odd = lane % 2;
    if (N % 4 == 0) {
#pragma unroll
        for (int j = 0; j < S::BN / 8; ++j) {
            const float *left = &acc[j / 2 * 8 + j % 2 * 2], *right = left + 4;
            const float x = __shfl_xor_sync(~0u, odd ? left[0] : right[0], 1);
            const float y = __shfl_xor_sync(~0u, odd ? left[1] : right[1], 1);
            const int r = row + lane / 4 + j % 2 * 8;
            const int c = first_col + j / 2 * 16 + odd * 8 + lane % 4 / 2 * 4;
            if (r < M && c < N) {
                *(float4 *)&to[(size_t)r * N + c] = odd ? make_float4(x, y, right[0], right[1])
                                                        : make_float4(left[0], left[1], x, y);
            }
        }
        return;
    }
#pragma unroll
    for (int n = 0; n < S::BN; n += STRIP) {
        const int col = first_col + n;
        if (row >= M || col >= N) {
            continue;  // the whole warp
        }
#pragma unroll
        for (int i = 0; i < STRIP / 2; i += 2) {
            *(float2 *)&strip[lane / 4 + i / 2 % 2 * 8][lane % 4 * 2 + i / 4 * 8] =
                make_float2(acc[n / 2 + i], acc[n / 2 + i + 1]);
        }
        __syncwarp();  // the strip is full
#pragma unroll
        for (int r = 0; r < 16; ++r) {
            if (row + r < M && col + lane < N) {
                to[(size_t)(row + r) * N + col + lane] = strip[r][lane];
            }
        }
        __syncwarp();  // it has been read
    }
}

// Tiles or parts of tiles, one after the other; parts are stored from `parts_at` on.
template <typename S>
static __device__ __forceinline__ void product(float *C, int M, int N, int K, int parts,
                                               float *parts_at, const tensor_maps *maps) {
    extern __shared__ __align__(1024) unsigned char memory[];
    auto *shared = (struct ring<S> *)memory;
    const int rank = S::CLUSTER == 1 ? 0 : ptx::cluster_ctarank();
    const int count = ceil_div(M, S::CLUSTER * BM) * ceil_div(N, S::BN) * parts;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < S::STAGES; ++stage) {
            ptx::mbarrier_init(&shared->full[stage], 1);
            ptx::mbarrier_init(&shared->empty[stage], S::USERS);
        }
        ptx::mbarrier_init(&shared->go[0], S::USERS);
        ptx::mbarrier_init(&shared->go[1], S::USERS);
        ptx::fence_mbarrier_init();
    }
    if (S::CLUSTER == 1) {
        __syncthreads();  // the mbarriers are initialised
    } else {
        __syncwarp();
        ptx::cluster_arrive();  // those of both blocks are
        ptx::cluster_wait();
    }

    const int group = threadIdx.x / 128;  // warpgroup
    unsigned number = 0;                  // of the next slice, over all tiles of the block
    for (int n = 0, i = blockIdx.x / S::CLUSTER; i < count; ++n, i += gridDim.x / S::CLUSTER) {
        const struct work work = work_of<S>(i, rank, parts, M, N, K);
        if (threadIdx.x == MULTIPLIERS) {
            copy_slices(shared, maps, work, rank, number);
        } else if (threadIdx.x < MULTIPLIERS && (!S::TURNS || n % 2 == group)) {
            if (S::TURNS) {
                wait_for(&shared->go[group], (n / 2 + group + 1) % 2);  // at first, group 0 may go
            }
            float acc[S::HALVES][S::BN / 2];
            multiply_slices(acc, shared, work.end - work.first, number);
            float *to = parts == 1 ? C : parts_at + (size_t)work.part * M * N;
#pragma unroll
            for (int half = 0; half < S::HALVES; ++half) {
                const int row = S::TURNS ? half * 64 + threadIdx.x % 128 / 32 * 16
                                         : threadIdx.x / 32 * 16;
                store<S>(acc[half], shared->strip[threadIdx.x / 32], to, M, N, work.row + row,
                         work.col);
            }
        }
        number += work.end - work.first;
    }
    if (S::CLUSTER > 1) {
        __syncwarp();
        ptx::cluster_arrive();  // no block ends while the other one copies to it, or arrives there
        ptx::cluster_wait();
    }
}

// A tensor map takes rows that start at multiples of 16 bytes: 8 elements.
static __host__ __device__ constexpr int padded(int length) {
    return ceil_div(length, 8) * 8;
}
static __host__ __device__ bool needs_pad(int N, int K) {
    return N != padded(N) || K != padded(K);
}
// Bytes of the longer rows of A and B, in the workspace; the parts of K follow them.
static __host__ __device__ size_t padded_bytes(int M, int N, int K) {
    return needs_pad(N, K) ? sizeof(__half) * ((size_t)M * padded(K) + (size_t)K * padded(N)) : 0;
}

__global__ void __cluster_dims__(Large::CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    large(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
          const __grid_constant__ tensor_maps maps) {
    product<Large>(C, M, N, K, 1, nullptr, &maps);
}
__global__ void __launch_bounds__(THREADS, 1)
    middle(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
           const __grid_constant__ tensor_maps maps) {
    product<Middle>(C, M, N, K, parts_of(M, N, K), workspace + padded_bytes(M, N, K) / 4, &maps);
}

__global__ void add(const __half *A, const __half *B, float *C, int M, int N, int K,
                    float *workspace) {
    const float *parts_at = workspace + padded_bytes(M, N, K) / 4;
    const int i = blockIdx.x * ADD_THREADS + threadIdx.x, parts = parts_of(M, N, K);
    float sum = 0.0f;
    for (int part = 0; part < parts && i < M * N; ++part) {
        sum += parts_at[(size_t)part * M * N + i];
    }
    if (i < M * N) {
        C[i] = sum;
    }
}

// Copies the rows of A, then of B, to longer ones: a warp up to PAD_WIDTH elements, a thread 8 of
// them, in words of two.  If they begin in the middle of a word, it moves them by half a word.
static __host__ __device__ int pieces_of(int height, int width) {
    return height * ceil_div(width, PAD_WIDTH);
}
__global__ void pad(const __half *A, const __half *B, float *C, int M, int N, int K,
                    float *workspace) {
    const int warp = (blockIdx.x * PAD_THREADS + threadIdx.x) / 32;
    const bool is_a = warp < pieces_of(M, K);
    const int piece = is_a ? warp : warp - pieces_of(M, K);
    const int height = is_a ? M : K, width = is_a ? K : N;
    const int row = piece / ceil_div(width, PAD_WIDTH);
    const int col = piece % ceil_div(width, PAD_WIDTH) * PAD_WIDTH + threadIdx.x % 32 * 8;
    const __half *from = is_a ? A : B;
    __half *to = (__half *)workspace + (is_a ? 0 : (size_t)M * padded(K));
    if (row >= height || col >= width) {
        return;
    }
    const size_t count = (size_t)height * width, at = (size_t)row * width + col;
    unsigned word[5];
#pragma unroll
    for (int i = 0; i < 5; ++i) {
        const size_t first = at / 2 * 2 + i * 2;
        word[i] = first + 1 < count ? *(const unsigned *)&from[first]
                  : first < count   ? *(const unsigned short *)&from[first]
                                    : 0;
    }
    if (at % 2 == 1) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            word[i] = __funnelshift_r(word[i], word[i + 1], 16);
        }
    }
    *(uint4 *)&to[(size_t)row * padded(width) + col] =
        make_uint4(word[0], word[1], word[2], word[3]);
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
    const int tiles = ceil_div(M, BM) * ceil_div(N, Middle::BN);
    const int pairs = ceil_div(M, Large::CLUSTER * BM) * ceil_div(N, Large::BN);
    const bool is_large = tiles > MANY;
    const int parts = is_large ? 1 : parts_of(M, N, K);
    const size_t pad_bytes = padded_bytes(M, N, K);
    const size_t bytes = pad_bytes + (parts > 1 ? sizeof(float) * parts * M * N : 0);
    const bool is_small = tiles <= 4 && K <= 128;
    if (!is_small && bytes <= WORKSPACE_BYTES_MAX) {
        const unsigned from_a = pad_bytes > 0 ? TENSOR_WORKSPACE : 0;
        const unsigned from_b = pad_bytes > 0 ? TENSOR_WORKSPACE : 1;
        launch->workspace_bytes = bytes;
        launch_tensor(launch, 0, from_a, TENSOR_FP16, M, K, padded(K), BM, BK, SWIZZLE);
        launch_tensor(launch, 1, from_b, TENSOR_FP16, K, N, padded(N), BK, WIDE, SWIZZLE,
                      pad_bytes > 0 ? sizeof(__half) * M * padded(K) : 0);
        if (pad_bytes > 0) {
            const int pieces = pieces_of(M, K) + pieces_of(K, N);
            LAUNCH(pad, ceil_div(pieces, PAD_THREADS / 32), PAD_THREADS);
        }
        if (is_large) {
            const int blocks = min(pairs * Large::CLUSTER, CARD);
            LAUNCH(large, blocks, THREADS, sizeof(struct ring<Large>));
        } else {
            LAUNCH(middle, min(tiles * parts, CARD), THREADS, sizeof(struct ring<Middle>));
        }
        if (parts > 1) {
            LAUNCH(add, ceil_div(M * N, ADD_THREADS), ADD_THREADS);
        }
        return;
    }
    //@end
    launch->block = SMALL_THREADS;
    launch->grid = dim3(ceil_div(N, SMALL_COLS), ceil_div(M, SMALL_ROWS));
}

// TF32 on a Hopper card, by clusters of two blocks, which share rows of A or, if C is small, K.  In
// a block two warpgroups multiply by wgmma, and one thread of a third one copies tiles.
//
// wgmma takes TF32 only along K, but rows of B run along N.  So the product is computed as
// C^T = B^T A^T: B^T comes from registers, in any order, and A from shared memory.
#include "matmul.cuh"
#include "ptx.cuh"

#define BN     128  // columns of C in a tile
#define BK     32   // depth of a slice: 128 bytes, the longest row of a swizzled box
#define WIDE   32   // columns of B in a box: also 128 bytes
#define DEPTH  8    // terms that one wgmma adds
#define GROUP  8    // tiles above each other that are computed together
#define BLOCKS 128  // that the card runs at a time

#define MULTIPLIERS 256                  // threads that multiply: two warpgroups, 64 columns each
#define THREADS     (MULTIPLIERS + 128)  // and the warpgroup of the thread that copies
#define SWIZZLE     128                  // bytes: the pattern of a box in shared memory

#define PAD_THREADS 256  // of a block that copies to padded rows
#define PAD_WIDTH   256  // floats that a warp copies

// Blocks that stay, and compute one tile of 256 x 128 after the other.
struct large {
    static constexpr int ROWS = 256, STAGES = 4;
    static constexpr int KINDS = 1;          // of rows of A, see kinds_of
    static constexpr bool SHARES_K = false;  // but the rows of A
};
struct by_kind : large {
    static constexpr int KINDS = 4;
};
// Blocks for a tile of 128 x 128 each, for matrices with few tiles.
struct small {
    static constexpr int ROWS = 128, STAGES = 4;
    static constexpr int KINDS = 1;
    static constexpr bool SHARES_K = true;
};

static __host__ __device__ bool is_small(int M, int N, int K) {
    return 2 * ceil_div(M, small::ROWS) * ceil_div(N, BN) <= BLOCKS && K > BK;
}

// A tensor map takes rows that start at multiples of 16 bytes: 4 floats.
__host__ __device__ constexpr int padded(int length) {
    return ceil_div(length, 4) * 4;
}

// If K is no multiple of 4, 4 K is: rows k, k + 4, k + 8 ... of A are a matrix for a tensor map,
// which begins up to 3 floats before row k, at a multiple of 16 bytes.  So there are 4 kinds of
// rows, and a tile has rows of one kind.  It pays if that makes no more tiles.
static __host__ __device__ int kinds_of(int M, int N, int K) {
    const int kinds = by_kind::KINDS, tiles = ceil_div(M, large::ROWS);
    const bool pays = kinds * ceil_div(ceil_div(M, kinds), large::ROWS) == tiles;
    return K % 4 != 0 && !is_small(M, N, K) && pays ? kinds : 1;
}

template <class shape> struct ring {
    struct {
        float a[shape::ROWS][BK];
        float b[BN / WIDE][BK][WIDE];
    } slice[shape::STAGES];
    float scratch[MULTIPLIERS / 32][32][16 + 4];  // of each warp; 4: no bank conflicts
    unsigned long long full[shape::STAGES];   // phase by phase: the copies of a slice have arrived
    unsigned long long empty[shape::STAGES];  // phase by phase: it is multiplied
    unsigned long long cleared;               // phase by phase: see clear_before
};

// A place in the ring.
struct turn {
    int stage, parity;
};
template <class shape> static __device__ __forceinline__ void next(struct turn &turn) {
    turn.stage = turn.stage + 1 == shape::STAGES ? 0 : turn.stage + 1;
    turn.parity ^= turn.stage == 0;
}

static __device__ __forceinline__ void wait_for(unsigned long long *mbarrier, int parity) {
    while (!ptx::mbarrier_try_wait_parity(mbarrier, parity)) {
    }
}

static __device__ __forceinline__ void meet_cluster() {
    ptx::cluster_arrive();
    ptx::cluster_wait();
}

// What a block does next: a tile of C, and the slices of K for it.
struct work {
    int kind;      // of rows of A
    int row, col;  // the tile's first row among those of its kind, and first column
    int before;    // floats between the start of the map and a row
    int first, end;
};

// Rows of tiles.
template <class shape> static __device__ int rows_of(int M) {
    return shape::KINDS * ceil_div(ceil_div(M, shape::KINDS), shape::ROWS);
}

// GROUP tiles above each other are computed column after column, so that blocks that run together
// find their parts of A and B in the L2 cache.
template <class shape>
static __device__ struct work work_of(int cluster, int rank, int M, int N, int K) {
    const int width = shape::SHARES_K ? BN : 2 * BN;  // of the cluster's part of C
    const int rows = rows_of<shape>(M), cols = ceil_div(N, width);
    const int above = cluster / (GROUP * cols) * GROUP;
    const int high = min(GROUP, rows - above);
    const int within = cluster % (GROUP * cols), row = above + within % high;
    const int kind = row % shape::KINDS, before = kind * (K % 4) % 4;
    const int slices = ceil_div(before + K, BK), half = slices / 2;
    const int col = within / high * width + (shape::SHARES_K ? 0 : rank * BN);
    return {kind, row / shape::KINDS * shape::ROWS, col, before,
            shape::SHARES_K && rank == 1 ? half : 0, shape::SHARES_K && rank == 0 ? half : slices};
}

// Copies all slices of a tile.  maps: B, then each kind of rows of A.  If blocks share rows of A,
// each copies half of them for both.
template <class shape>
static __device__ __forceinline__ void copy_slices(struct ring<shape> *shared,
                                                   const tensor_maps *maps, struct work work,
                                                   int rank, struct turn &turn) {
    for (int k = work.first * BK; k < work.end * BK; k += BK) {
        auto *to = &shared->slice[turn.stage];
        unsigned long long *full = &shared->full[turn.stage];
        const struct tensor_map *a = &maps->at[1 + work.kind];
        wait_for(&shared->empty[turn.stage], turn.parity ^ 1);
        ptx::mbarrier_arrive_expect_tx(full, sizeof *to);
        if (shape::SHARES_K) {
            ptx::cp_async_bulk_tensor_2d_shared_global(to->a, a, k, work.row, full);
        } else {
            const int half = rank * (shape::ROWS / 2);
            ptx::cp_async_bulk_tensor_2d_shared_global_multicast(to->a[half], a, k, work.row + half,
                                                                 full, 3);
        }
        for (int i = 0; i < BN / WIDE; ++i) {
            ptx::cp_async_bulk_tensor_2d_shared_global(to->b[i], &maps->at[0], work.col + i * WIDE,
                                                       k - work.before, full);
        }
        next<shape>(turn);
    }
}

// Loads my factors of B^T of a slice.  Of a piece of 64 x 8, a thread has rows g and g + 8 and
// columns t and t + 4.  Row g is column 2 g of C, and row g + 8 the next one, so that it loads two
// floats at a time.  Every second pair of rows loads column t + 4 first: no two threads want the
// same bank.
static __device__ __forceinline__ void load_factors(unsigned (&f)[BK / DEPTH][4],
                                                    const float (*b)[BK][WIDE]) {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4, swap = g / 2 % 2;
    const int col = threadIdx.x / 32 * 16, piece = col % WIDE / 4 + g / 2;
    const float *box = b[col / WIDE][0];
#pragma unroll
    for (int i = 0; i < BK / DEPTH; ++i) {
        float2 v[2];
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int k = i * DEPTH + (h ^ swap) * 4 + t;
            v[h] = *(const float2 *)&box[k * WIDE + (piece ^ k % 8) * 4 + g % 2 * 2];
        }
        f[i][0] = __float_as_uint(swap ? v[1].x : v[0].x);
        f[i][1] = __float_as_uint(swap ? v[1].y : v[0].y);
        f[i][2] = __float_as_uint(swap ? v[0].x : v[1].x);
        f[i][3] = __float_as_uint(swap ? v[0].y : v[1].y);
    }
}

static __device__ __forceinline__ void multiply_add(float (&d)[128], const unsigned (&f)[4],
                                                    unsigned long long a, int more) {
    ptx::wgmma_m64n256k8_tf32(d, f, a, more);
}
static __device__ __forceinline__ void multiply_add(float (&d)[64], const unsigned (&f)[4],
                                                    unsigned long long a, int more) {
    ptx::wgmma_m64n128k8_tf32(d, f, a, more);
}

// Waits for a slice, and loads my factors of B^T of it.
template <class shape>
static __device__ __forceinline__ void wait_and_load(unsigned (&f)[BK / DEPTH][4],
                                                     struct ring<shape> *shared,
                                                     struct turn turn) {
    wait_for(&shared->full[turn.stage], turn.parity);
    load_factors(f, shared->slice[turn.stage].b);
}

// The floats of A before a row are the end of another row.  They would be multiplied by zeros, from
// above B, but infinity times zero is no zero.
template <class shape>
static __device__ __forceinline__ void clear_before(struct ring<shape> *shared, int stage,
                                                    int before, int parity) {
    const int row = threadIdx.x;
    for (int i = 0; i < before; ++i) {
        shared->slice[stage].a[row][row % 8 * 4 + i] = 0.0f;  // swizzled
    }
    ptx::fence_proxy_async();
    ptx::mbarrier_arrive(&shared->cleared);
    wait_for(&shared->cleared, parity);
}

// Starts the products of a slice; they are added to the sums, or are the first of them.
template <class shape, bool IS_FIRST>
static __device__ __forceinline__ void multiply_slice(float (&d)[shape::ROWS / 2],
                                                      unsigned (&f)[BK / DEPTH][4],
                                                      struct ring<shape> *shared, int stage) {
    const unsigned long long a =
        ptx::wgmma_descriptor(shared->slice[stage].a, 16, 8 * SWIZZLE, SWIZZLE);
#pragma unroll
    for (int i = 0; i < BK / DEPTH; ++i) {
        ptx::wgmma_fence_operand(f[i]);
    }
    ptx::wgmma_fence();
#pragma unroll
    for (int i = 0; i < BK / DEPTH; ++i) {
        multiply_add(d, f[i], a + i * DEPTH / 4, IS_FIRST && i == 0 ? 0 : 1);
    }
    ptx::wgmma_commit_group();
}

// Waits for the products that are under way, and hands their slice back: for the whole warp, all of
// which has read it, to all blocks that copy to it.
template <class shape>
static __device__ __forceinline__ void hand_back(struct ring<shape> *shared, int stage) {
    const int lane = threadIdx.x % 32;
    ptx::wgmma_wait_group<0>();
    __syncwarp();
    if (shape::SHARES_K && lane == 0) {
        ptx::mbarrier_arrive(&shared->empty[stage]);
    }
    if (!shape::SHARES_K && lane < 2) {
        ptx::mbarrier_arrive_relaxed_cluster(&shared->empty[stage], lane);
    }
}

// While one slice is multiplied, loads the factors of the next one into another set of registers.
template <class shape>
static __device__ __forceinline__ void multiply_next(float (&d)[shape::ROWS / 2],
                                                     unsigned (&f)[BK / DEPTH][4],
                                                     struct ring<shape> *shared,
                                                     struct turn &turn) {
    const int before = turn.stage;
    next<shape>(turn);
    wait_and_load(f, shared, turn);
    hand_back(shared, before);
    multiply_slice<shape, false>(d, f, shared, turn.stage);
}

// Sums up the products of all slices of a tile.
template <class shape>
static __device__ __forceinline__ void multiply_slices(float (&d)[shape::ROWS / 2],
                                                       struct ring<shape> *shared,
                                                       struct work work, struct turn &turn,
                                                       int parity = 0) {
    unsigned even[BK / DEPTH][4], odd[BK / DEPTH][4];
    int count = work.end - work.first;
    wait_and_load(even, shared, turn);
    if (shape::KINDS > 1 && work.before > 0) {
        clear_before(shared, turn.stage, work.before, parity);
    }
    multiply_slice<shape, true>(d, even, shared, turn.stage);
    for (; count > 2; count -= 2) {
        multiply_next(d, odd, shared, turn);
        multiply_next(d, even, shared, turn);
    }
    if (count > 1) {
        multiply_next(d, odd, shared, turn);
    }
    hand_back(shared, turn.stage);
    next<shape>(turn);
}

// Stores COUNT of a thread's sums: those of the tile's rows from `row` on.  They pass through
// shared memory, so that a warp stores 16 elements of a row together.
template <class shape, int COUNT>
static __device__ __forceinline__ void store(const float *d, float (*scratch)[16 + 4], float *C,
                                             int M, int N, int kind, int row, int col) {
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    col += threadIdx.x / 32 * 16;
#pragma unroll
    for (int first = 0; first < COUNT; first += 16, row += 32) {
#pragma unroll
        for (int i = 0; i < 16; i += 4) {
            const float *sums = &d[first + i];
            *(float2 *)&scratch[i * 2 + t * 2][g * 2] = make_float2(sums[0], sums[2]);
            *(float2 *)&scratch[i * 2 + t * 2 + 1][g * 2] = make_float2(sums[1], sums[3]);
        }
        __syncwarp();  // the sums of the whole warp are there
        if (N % 4 == 0) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int r = i * 8 + lane / 4, c = lane % 4 * 4;
                const int at = (row + r) * shape::KINDS + kind;
                if (at < M && col + c < N) {
                    *(float4 *)&C[(size_t)at * N + col + c] = *(float4 *)&scratch[r][c];
                }
            }
        } else {
#pragma unroll
            for (int i = 0; i < 16; ++i) {
                const int r = i * 2 + lane / 16, c = lane % 16;
                const int at = (row + r) * shape::KINDS + kind;
                if (at < M && col + c < N) {
                    C[(size_t)at * N + col + c] = scratch[r][c];
                }
            }
        }
        __syncwarp();  // they have been read
    }
}

// Gives the other block of the cluster half of the sums, in its shared memory.
static __device__ __forceinline__ void give_half(const float (&d)[64], struct ring<small> *shared,
                                                 int rank) {
    float4(*there)[MULTIPLIERS] = ptx::mapa((float4(*)[MULTIPLIERS])shared->slice, rank ^ 1);
#pragma unroll
    for (int i = 0; i < 32; i += 4) {
        there[i / 4][threadIdx.x] =
            rank == 0 ? make_float4(d[32 + i], d[33 + i], d[34 + i], d[35 + i])
                      : make_float4(d[i], d[i + 1], d[i + 2], d[i + 3]);
    }
}

// Adds what the other block gave, and stores the result.
static __device__ __forceinline__ void store_half(const float (&d)[64], struct ring<small> *shared,
                                                  float *C, int M, int N, struct work work,
                                                  int rank) {
    const float4(*received)[MULTIPLIERS] = (const float4(*)[MULTIPLIERS])shared->slice;
    float mine[32];
#pragma unroll
    for (int i = 0; i < 32; ++i) {
        const float4 other = received[i / 4][threadIdx.x];
        mine[i] = (rank == 0 ? d[i] : d[32 + i]) + (&other.x)[i % 4];
    }
    store<small, 32>(mine, shared->scratch[threadIdx.x / 32], C, M, N, 0, work.row + rank * 64,
                     work.col);
}

template <class shape> static __device__ struct ring<shape> *begin(const tensor_maps *maps) {
    extern __shared__ __align__(1024) unsigned char memory[];
    auto *shared = (struct ring<shape> *)memory;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < shape::STAGES; ++stage) {
            ptx::mbarrier_init(&shared->full[stage], 1);
            ptx::mbarrier_init(&shared->empty[stage], MULTIPLIERS / 32 * (shape::SHARES_K ? 1 : 2));
        }
        ptx::mbarrier_init(&shared->cleared, MULTIPLIERS);
        ptx::fence_mbarrier_init();
    }
    if (threadIdx.x == MULTIPLIERS) {
        ptx::prefetch_tensormap(&maps->at[0]);
        ptx::prefetch_tensormap(&maps->at[1]);
    }
    __syncwarp();
    meet_cluster();  // the mbarriers are initialised
    return shared;
}

template <class shape>
static __device__ __forceinline__ void multiply(float *C, int M, int N, int K,
                                                const tensor_maps *maps) {
    struct ring<shape> *shared = begin<shape>(maps);
    ptx::griddepcontrol_wait();  // the longer rows are there
    const int rank = ptx::cluster_ctarank();
    const int tiles = rows_of<shape>(M) * ceil_div(N, 2 * BN);
    struct turn turn = {0, 0};
    if (threadIdx.x >= MULTIPLIERS) {
        ptx::setmaxnreg_dec<40>();
        if (threadIdx.x == MULTIPLIERS) {
            for (int tile = blockIdx.x / 2; tile < tiles; tile += gridDim.x / 2) {
                copy_slices(shared, maps, work_of<shape>(tile, rank, M, N, K), rank, turn);
            }
        }
    } else {
        ptx::setmaxnreg_inc<232>();
        float d[shape::ROWS / 2];
        int parity = 0;  // of `cleared`
        for (int tile = blockIdx.x / 2; tile < tiles; tile += gridDim.x / 2) {
            const struct work work = work_of<shape>(tile, rank, M, N, K);
            multiply_slices(d, shared, work, turn, parity);
            parity ^= work.before > 0;
            store<shape, shape::ROWS / 2>(d, shared->scratch[threadIdx.x / 32], C, M, N, work.kind,
                                          work.row, work.col);
        }
    }
    __syncwarp();
    meet_cluster();  // no block ends while the other one copies to it, or arrives there
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(THREADS, 1)
    multiply_large(const float *A, const float *B, float *C, int M, int N, int K, float *workspace,
                   const __grid_constant__ tensor_maps maps) {
    multiply<large>(C, M, N, K, &maps);
}
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(THREADS, 1)
    multiply_by_kind(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps) {
    multiply<by_kind>(C, M, N, K, &maps);
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(THREADS, 1)
    multiply_small(const float *A, const float *B, float *C, int M, int N, int K, float *workspace,
                   const __grid_constant__ tensor_maps maps) {
    struct ring<small> *shared = begin<small>(&maps);
    ptx::griddepcontrol_wait();  // the longer rows are there
    const int rank = ptx::cluster_ctarank();
    const struct work work = work_of<small>(blockIdx.x / 2, rank, M, N, K);
    struct turn turn = {0, 0};
    float d[small::ROWS / 2];
    if (threadIdx.x == MULTIPLIERS) {
        copy_slices(shared, &maps, work, rank, turn);
    } else if (threadIdx.x < MULTIPLIERS) {
        multiply_slices(d, shared, work, turn);
    }
    __syncwarp();
    meet_cluster();  // all slices are multiplied: their memory is free
    if (threadIdx.x < MULTIPLIERS) {
        give_half(d, shared, rank);
    }
    __syncwarp();
    meet_cluster();  // all sums have arrived
    if (threadIdx.x < MULTIPLIERS) {
        store_half(d, shared, C, M, N, work, rank);
    }
}

// Floats of the padded rows of A, and of those of B, which follow them in the workspace.
static __host__ __device__ size_t padded_a(int M, int N, int K) {
    return K % 4 != 0 && kinds_of(M, N, K) == 1 ? (size_t)M * padded(K) : 0;
}
static __host__ __device__ size_t padded_b(int N, int K) {
    return N % 4 != 0 ? (size_t)K * padded(N) : 0;
}
static __host__ __device__ int pieces_of(size_t size, int height, int width) {
    return size > 0 ? height * ceil_div(width, PAD_WIDTH) : 0;
}

// Copies A, if it has padded rows, then B; a warp copies up to PAD_WIDTH floats of a row.
__global__ void __launch_bounds__(PAD_THREADS)
    pad(const float *A, const float *B, float *C, int M, int N, int K, float *workspace) {
    ptx::griddepcontrol_launch_dependents();
    const int warp = (blockIdx.x * PAD_THREADS + threadIdx.x) / 32;
    const size_t size_a = padded_a(M, N, K);
    const int of_a = pieces_of(size_a, M, K);
    const bool is_a = warp < of_a;
    const int piece = is_a ? warp : warp - of_a;
    const int height = is_a ? M : padded_b(N, K) > 0 ? K : 0, width = is_a ? K : N;
    const int row = piece / ceil_div(width, PAD_WIDTH);
    const int first = piece % ceil_div(width, PAD_WIDTH) * PAD_WIDTH + threadIdx.x % 32;
    const float *from = (is_a ? A : B) + (size_t)row * width;
    float *to = workspace + (is_a ? 0 : size_a) + (size_t)row * padded(width);
    float v[PAD_WIDTH / 32];
#pragma unroll
    for (int i = 0; i < PAD_WIDTH / 32; ++i) {
        const int col = first + i * 32;
        v[i] = row < height && col < width ? __ldcs(&from[col]) : 0.0f;  // not read again
    }
#pragma unroll
    for (int i = 0; i < PAD_WIDTH / 32; ++i) {
        const int col = first + i * 32;
        if (row < height && col < width) {
            to[col] = v[i];
        }
    }
}

// For matrices whose padded copies are larger than a workspace may be: an element for each thread.
__global__ void matmul_tensor_core(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K && row < M && col < N; ++k) {
        sum += A[(size_t)row * K + k] * B[(size_t)k * N + col];
    }
    if (row < M && col < N) {
        C[(size_t)row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_tensor_core, M, N, K) {
    const int kinds = kinds_of(M, N, K);
    const size_t size_a = padded_a(M, N, K), size_b = padded_b(N, K);
    const size_t bytes = sizeof(float) * (size_a + size_b);
    if (bytes > WORKSPACE_BYTES_MAX) {
        launch->block = dim3(32, 8);
        launch->grid = dim3(ceil_div(N, 32), ceil_div(M, 8));
        return;
    }
    launch->workspace_bytes = bytes;
    launch_tensor(launch, 0, size_b > 0 ? TENSOR_WORKSPACE : 1, TENSOR_FP32, K, N, padded(N), BK,
                  WIDE, SWIZZLE, sizeof(float) * (size_b > 0 ? size_a : 0));
    for (int kind = 0; kind < kinds; ++kind) {
        const int before = kinds == 1 ? 0 : kind * (K % 4) % 4;
        launch_tensor(launch, 1 + kind, size_a > 0 ? TENSOR_WORKSPACE : 0, TENSOR_FP32,
                      ceil_div(M - kind, kinds), before + K, size_a > 0 ? padded(K) : kinds * K,
                      128, BK, SWIZZLE,  // half of a large tile, or a small one
                      sizeof(float) * ((size_t)kind * K - before));
    }
    if (bytes > 0) {
        const int pieces = pieces_of(size_a, M, K) + pieces_of(size_b, K, N);
        LAUNCH(pad, ceil_div(pieces, PAD_THREADS / 32), PAD_THREADS);
    }
    const int blocks = min(2 * ceil_div(M, large::ROWS) * ceil_div(N, 2 * BN), BLOCKS);
    if (is_small(M, N, K)) {
        const int tiles = ceil_div(M, small::ROWS) * ceil_div(N, BN);
        LAUNCH_DEPENDENT(multiply_small, 2 * tiles, THREADS, sizeof(struct ring<small>));
    } else if (kinds > 1) {
        LAUNCH_DEPENDENT(multiply_by_kind, blocks, THREADS, sizeof(struct ring<by_kind>));
    } else {
        LAUNCH_DEPENDENT(multiply_large, blocks, THREADS, sizeof(struct ring<large>));
    }
}

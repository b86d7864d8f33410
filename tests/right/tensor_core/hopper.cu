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
    static constexpr bool SHARES_K = false;  // but the rows of A
};
// Blocks for a tile of 128 x 128 each, for matrices with few tiles.
struct small {
    static constexpr int ROWS = 128, STAGES = 6;
    static constexpr bool SHARES_K = true;
};

template <class shape> struct ring {
    struct {
        float a[shape::ROWS][BK];
        float b[BN / WIDE][BK][WIDE];
    } slice[shape::STAGES];
    float scratch[MULTIPLIERS / 32][32][16 + 4];  // of each warp; 4: no bank conflicts
    unsigned long long full[shape::STAGES];   // phase by phase: the copies of a slice have arrived
    unsigned long long empty[shape::STAGES];  // phase by phase: it is multiplied
};

// A place in the ring of slices.
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
    int row, col;
    int first, end;
};

// GROUP tiles above each other are computed column after column, so that blocks that run together
// find their parts of A and B in the L2 cache.
template <class shape>
static __device__ struct work work_of(int cluster, int rank, int M, int N, int K) {
    const int width = shape::SHARES_K ? BN : 2 * BN;  // of the cluster's part of C
    const int rows = ceil_div(M, shape::ROWS), cols = ceil_div(N, width);
    const int above = cluster / (GROUP * cols) * GROUP;
    const int high = min(GROUP, rows - above);
    const int within = cluster % (GROUP * cols);
    const int slices = ceil_div(K, BK), half = slices / 2;
    return {(above + within % high) * shape::ROWS,
            within / high * width + (shape::SHARES_K ? 0 : rank * BN),
            shape::SHARES_K && rank == 1 ? half : 0, shape::SHARES_K && rank == 0 ? half : slices};
}

// Copies all slices of a tile.  If blocks share rows of A, each copies half of them for both.
template <class shape>
static __device__ __forceinline__ void copy_slices(struct ring<shape> *shared,
                                                   const tensor_maps *maps, struct work work,
                                                   int rank, struct turn &turn) {
    for (int k = work.first * BK; k < work.end * BK; k += BK) {
        auto *to = &shared->slice[turn.stage];
        unsigned long long *full = &shared->full[turn.stage];
        wait_for(&shared->empty[turn.stage], turn.parity ^ 1);
        ptx::mbarrier_arrive_expect_tx(full, sizeof *to);
        if (shape::SHARES_K) {
            ptx::cp_async_bulk_tensor_2d_shared_global(to->a, &maps->at[0], k, work.row, full);
        } else {
            const int half = rank * (shape::ROWS / 2);
            ptx::cp_async_bulk_tensor_2d_shared_global_multicast(to->a[half], &maps->at[0], k,
                                                                 work.row + half, full, 3);
        }
        for (int i = 0; i < BN / WIDE; ++i) {
            ptx::cp_async_bulk_tensor_2d_shared_global(to->b[i], &maps->at[1], work.col + i * WIDE,
                                                       k, full);
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

// Starts the products of a slice; they are added to the sums, or are the first of them.
template <class shape, bool IS_FIRST>
static __device__ __forceinline__ void multiply_slice(float (&d)[shape::ROWS / 2],
                                                      const unsigned (&f)[BK / DEPTH][4],
                                                      struct ring<shape> *shared, int stage) {
    const unsigned long long a =
        ptx::wgmma_descriptor(shared->slice[stage].a, 16, 8 * SWIZZLE, SWIZZLE);
    ptx::wgmma_fence();
#pragma unroll
    for (int i = 0; i < BK / DEPTH; ++i) {
        multiply_add(d, f[i], a + i * DEPTH / 4, IS_FIRST && i == 0 ? 0 : 1);
    }
    ptx::wgmma_commit_group();
}

// Waits for the products that are under way, and hands their slice back.
template <class shape>
static __device__ __forceinline__ void hand_back(struct ring<shape> *shared, int stage) {
    ptx::wgmma_wait_group<0>();
    if (shape::SHARES_K && threadIdx.x % 128 == 0) {
        ptx::mbarrier_arrive(&shared->empty[stage]);
    }
    if (!shape::SHARES_K && threadIdx.x % 128 < 2) {
        ptx::mbarrier_arrive_relaxed_cluster(&shared->empty[stage], threadIdx.x % 128);
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
                                                       struct ring<shape> *shared, int count,
                                                       struct turn &turn) {
    unsigned even[BK / DEPTH][4], odd[BK / DEPTH][4];
    wait_and_load(even, shared, turn);
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
template <int COUNT>
static __device__ __forceinline__ void store(const float *d, float (*scratch)[16 + 4], float *C,
                                             int M, int N, int row, int col) {
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
                if (row + r < M && col + c < N) {
                    *(float4 *)&C[(size_t)(row + r) * N + col + c] = *(float4 *)&scratch[r][c];
                }
            }
        } else {
#pragma unroll
            for (int i = 0; i < 16; ++i) {
                const int r = i * 2 + lane / 16, c = lane % 16;
                if (row + r < M && col + c < N) {
                    C[(size_t)(row + r) * N + col + c] = scratch[r][c];
                }
            }
        }
        __syncwarp();  // they have been read
    }
}

// Adds the sums of both halves of K, and stores the result.  Each block of the cluster gets half of
// the other one's sums in its shared memory.
static __device__ __forceinline__ void store_half(const float (&d)[64], struct ring<small> *shared,
                                                  float *C, int M, int N, struct work work,
                                                  int rank) {
    float4(*received)[MULTIPLIERS] = (float4(*)[MULTIPLIERS])shared->slice;
    float4(*there)[MULTIPLIERS] = ptx::mapa(received, rank ^ 1);
    float mine[32];
    meet_cluster();  // all slices are multiplied: their memory is free
#pragma unroll
    for (int i = 0; i < 32; i += 4) {
        float4 other;
        float *to = (float *)&other;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            mine[i + j] = rank == 0 ? d[i + j] : d[32 + i + j];
            to[j] = rank == 0 ? d[32 + i + j] : d[i + j];
        }
        there[i / 4][threadIdx.x] = other;
    }
    meet_cluster();  // all sums have arrived
#pragma unroll
    for (int i = 0; i < 32; i += 4) {
        const float4 other = received[i / 4][threadIdx.x];
        mine[i] += other.x;
        mine[i + 1] += other.y;
        mine[i + 2] += other.z;
        mine[i + 3] += other.w;
    }
    store<32>(mine, shared->scratch[threadIdx.x / 32], C, M, N, work.row + rank * 64, work.col);
}

template <class shape> static __device__ struct ring<shape> *begin(const tensor_maps *maps) {
    extern __shared__ __align__(1024) unsigned char memory[];
    auto *shared = (struct ring<shape> *)memory;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < shape::STAGES; ++stage) {
            ptx::mbarrier_init(&shared->full[stage], 1);
            ptx::mbarrier_init(&shared->empty[stage], shape::SHARES_K ? 2 : 4);  // warpgroups
        }
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

__global__ void
__cluster_dims__(2, 1, 1) __launch_bounds__(THREADS, 1)
    multiply_large(const float *A, const float *B, float *C, int M, int N, int K, float *workspace,
                   const __grid_constant__ tensor_maps maps) {
    struct ring<large> *shared = begin<large>(&maps);
    const int rank = ptx::cluster_ctarank();
    const int tiles = ceil_div(M, large::ROWS) * ceil_div(N, 2 * BN);
    struct turn turn = {0, 0};
    if (threadIdx.x >= MULTIPLIERS) {
        ptx::setmaxnreg_dec<40>();
        if (threadIdx.x == MULTIPLIERS) {
            for (int tile = blockIdx.x / 2; tile < tiles; tile += gridDim.x / 2) {
                copy_slices(shared, &maps, work_of<large>(tile, rank, M, N, K), rank, turn);
            }
        }
    } else {
        ptx::setmaxnreg_inc<232>();
        float d[large::ROWS / 2];
        for (int tile = blockIdx.x / 2; tile < tiles; tile += gridDim.x / 2) {
            const struct work work = work_of<large>(tile, rank, M, N, K);
            multiply_slices(d, shared, work.end - work.first, turn);
            store<large::ROWS / 2>(d, shared->scratch[threadIdx.x / 32], C, M, N, work.row,
                                   work.col);
        }
    }
    __syncwarp();
    meet_cluster();  // no block ends while the other one copies to it, or arrives there
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(THREADS, 1)
    multiply_small(const float *A, const float *B, float *C, int M, int N, int K, float *workspace,
                   const __grid_constant__ tensor_maps maps) {
    struct ring<small> *shared = begin<small>(&maps);
    const int rank = ptx::cluster_ctarank();
    const struct work work = work_of<small>(blockIdx.x / 2, rank, M, N, K);
    struct turn turn = {0, 0};
    if (threadIdx.x >= MULTIPLIERS) {
        if (threadIdx.x == MULTIPLIERS) {
            copy_slices(shared, &maps, work, rank, turn);
        }
        __syncwarp();
        meet_cluster();  // as in store_half
        meet_cluster();
    } else {
        float d[small::ROWS / 2];
        multiply_slices(d, shared, work.end - work.first, turn);
        store_half(d, shared, C, M, N, work, rank);
    }
}

// A tensor map takes rows that start at multiples of 16 bytes: 4 floats.
__host__ __device__ constexpr int padded(int length) {
    return ceil_div(length, 4) * 4;
}

// Copies A, then B, to padded rows; a warp copies up to PAD_WIDTH floats of a row.
__global__ void __launch_bounds__(PAD_THREADS)
    pad(const float *A, const float *B, float *C, int M, int N, int K, float *workspace) {
    const int warp = (blockIdx.x * PAD_THREADS + threadIdx.x) / 32;
    const int pieces_of_a = M * ceil_div(K, PAD_WIDTH);
    const bool is_a = warp < pieces_of_a;
    const int piece = is_a ? warp : warp - pieces_of_a;
    const int height = is_a ? M : K, width = is_a ? K : N;
    const int row = piece / ceil_div(width, PAD_WIDTH);
    const int first = piece % ceil_div(width, PAD_WIDTH) * PAD_WIDTH + threadIdx.x % 32;
    const float *from = (is_a ? A : B) + (size_t)row * width;
    float *to = workspace + (is_a ? 0 : (size_t)M * padded(K)) + (size_t)row * padded(width);
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
    const bool aligned = K == padded(K) && N == padded(N);
    const size_t a_bytes = sizeof(float) * M * padded(K);
    const size_t b_bytes = sizeof(float) * K * padded(N);
    if (!aligned && a_bytes + b_bytes > WORKSPACE_BYTES_MAX) {
        launch->block = dim3(32, 8);
        launch->grid = dim3(ceil_div(N, 32), ceil_div(M, 8));
        return;
    }
    if (!aligned) {
        const int pieces = M * ceil_div(K, PAD_WIDTH) + K * ceil_div(N, PAD_WIDTH);
        launch->workspace_bytes = a_bytes + b_bytes;
        LAUNCH(pad, dim3(ceil_div(pieces, PAD_THREADS / 32)), dim3(PAD_THREADS));
    }
    const int tiles = ceil_div(M, small::ROWS) * ceil_div(N, BN);
    const bool is_small = 2 * tiles <= BLOCKS && K > BK;
    launch_tensor(launch, 0, aligned ? 0 : TENSOR_WORKSPACE, TENSOR_FP32, M, K, padded(K), 128, BK,
                  SWIZZLE);  // half of a large tile, or a small one
    launch_tensor(launch, 1, aligned ? 1 : TENSOR_WORKSPACE, TENSOR_FP32, K, N, padded(N), BK, WIDE,
                  SWIZZLE, aligned ? 0 : a_bytes);
    if (is_small) {
        LAUNCH(multiply_small, dim3(2 * tiles), dim3(THREADS), sizeof(struct ring<small>));
    } else {
        const int pairs = ceil_div(M, large::ROWS) * ceil_div(N, 2 * BN);
        LAUNCH(multiply_large, dim3(min(2 * pairs, BLOCKS)), dim3(THREADS),
               sizeof(struct ring<large>));
    }
}

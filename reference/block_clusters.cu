// Matrix multiplication on a Hopper card: two blocks of a cluster share the tiles of B.
//
// Shapes   A [M][K], B [K][N] of half, C [M][N] of float: row-major, no padding, any size from 1.
// Launch   multiply: clusters of 2 blocks of 288 threads; a block computes 128 x 256 elements of C
//          at a time, and stays for the next tile.
// Change   a tile of B is copied once for two blocks, half of it by each; two warpgroups multiply.
// Limit    C is stored while no warp multiplies, although the next slices are already there.
// Source   PTX ISA, "Cluster of Cooperative Thread Arrays" and "cp.async.bulk.tensor".
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define BM       128  // rows of C in a tile
#define BN       256  // columns of C in a tile
#define BK       64   // depth of a slice: 128 bytes, the longest row of a swizzled box
#define WIDE     64   // columns of B in a box: also 128 bytes
#define STAGES   4    // slices in shared memory: some are multiplied, the others are on their way
#define ROWS     64   // rows of C that one wgmma computes, and so a warpgroup
#define DEPTH    16   // terms that one wgmma adds
#define CLUSTER  2    // blocks that share B: their tiles of C are one above the other, a pair
#define CLUSTERS 66   // that a card of 132 SMs runs at a time
#define FEW      32   // pairs: up to here each cluster stays for two, so that tests see it stay
#define GROUP    8    // pairs one above the other that are computed before those to the right

#define MULTIPLIERS 256                 // threads that multiply: two warpgroups
#define THREADS     (MULTIPLIERS + 32)  // and the warp that copies
#define SWIZZLE     128                 // bytes: the pattern of a box in shared memory
#define EIGHT_ROWS  (8 * SWIZZLE)       // bytes of 8 rows of a box, then the pattern repeats

struct slice {
    __half a[BM][BK];
    __half b[BN / WIDE][BK][WIDE];  // a box for each 64 columns
};

struct shared {
    struct slice slice[STAGES];
    unsigned long long full[STAGES];   // phase by phase: the copies of a slice have arrived here
    unsigned long long empty[STAGES];  // phase by phase: all warps of both blocks are done with it
};

struct place {
    int row, col;  // of the first element of a tile in C
};

// My tile of a pair.  The pairs that run together are close to each other, so that what one copies
// is in the L2 cache for the others.
static __device__ struct place place_of(int pair, int rank, int M, int N) {
    const int rows = ceil_div(M, CLUSTER * BM);  // of pairs
    const int cols = ceil_div(N, BN);
    const int first = pair / (GROUP * cols) * GROUP;  // row of its group
    const int high = min(GROUP, rows - first);        // rows of that group
    const int within = pair % (GROUP * cols);
    return {((first + within % high) * CLUSTER + rank) * BM, within / high * BN};
}

static __device__ __forceinline__ void wait_for(unsigned long long *mbarrier, int parity) {
    while (!ptx::mbarrier_try_wait_parity(mbarrier, parity)) {
    }
}

// Starts the copies of a slice, that of the terms from `t` on; `turn` counts slices of all tiles.
static __device__ __forceinline__ void copy_slice(struct shared *shared, const tensor_maps *maps,
                                                  struct place tile, int rank, int t, int turn) {
    //@cut 1 wait for an empty buffer, announce its bytes; copy my tile of A, half of B for both
    const int stage = turn % STAGES;
    struct slice *to = &shared->slice[stage];
    unsigned long long *full = &shared->full[stage];
    wait_for(&shared->empty[stage], turn / STAGES % 2 ^ 1);
    ptx::mbarrier_arrive_expect_tx(full, sizeof *to);
    ptx::cp_async_bulk_tensor_2d_shared_global(to->a, &maps->at[0], t, tile.row, full);
    for (int i = rank; i < BN / WIDE; i += CLUSTER) {
        const int col = tile.col + i * WIDE;
        ptx::cp_async_bulk_tensor_2d_shared_global_multicast(to->b[i], &maps->at[1], col, t, full,
                                                             (1 << CLUSTER) - 1);
    }
    //@end
}

// Starts the products of my warpgroup's 64 rows of a slice: those of the first slice of a tile
// replace the sums, the others are added.
static __device__ __forceinline__ void multiply_slice(float (&acc)[BN / 2],
                                                      const struct slice *slice, int first_row,
                                                      bool is_first) {
    ptx::wgmma_fence();  // the registers of acc may now be used by the tensor cores
#pragma unroll
    for (int k = 0; k < BK; k += DEPTH) {
        const unsigned long long a =
            ptx::wgmma_descriptor(&slice->a[first_row][k], 16, EIGHT_ROWS, SWIZZLE);
        const unsigned long long b =
            ptx::wgmma_descriptor(slice->b[0][k], sizeof slice->b[0], EIGHT_ROWS, SWIZZLE);
        ptx::wgmma_m64n256k16_f16<0, 1>(acc, a, b, !is_first || k > 0);
    }
    ptx::wgmma_commit_group();
}

// Stores the sums of a thread, of which the first is C[row][col]; col is even.
static __device__ __forceinline__ void store_sums(float *C, int M, int N,
                                                  const float (&acc)[BN / 2], int row, int col) {
#pragma unroll
    for (int j = 0; j < BN / 2; j += 2) {
        const int r = row + j / 2 % 2 * 8;
        const int c = col + j / 4 * 8;
        if (r < M && c < N && N % 2 == 0) {
            *(float2 *)&C[r * N + c] = make_float2(acc[j], acc[j + 1]);
        } else if (r < M && c < N) {
            C[r * N + c] = acc[j];
            if (c + 1 < N) {
                C[r * N + c + 1] = acc[j + 1];
            }
        }
    }
}

__global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    multiply(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
             const __grid_constant__ tensor_maps maps) {
    extern __shared__ __align__(1024) unsigned char memory[];
    struct shared *shared = (struct shared *)memory;

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int rank = ptx::cluster_ctarank();  // of my block in its cluster: 0 or 1
    const int slices = ceil_div(K, BK);
    const int pairs = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN);
    const int cluster = blockIdx.x / CLUSTER;
    const int clusters = gridDim.x / CLUSTER;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            ptx::mbarrier_init(&shared->full[stage], 1);  // the thread that copies
            ptx::mbarrier_init(&shared->empty[stage], CLUSTER * MULTIPLIERS / 32);
        }
        ptx::fence_mbarrier_init();
    }
    //@cut 2 wait until the mbarriers of both blocks are initialised
    ptx::cluster_arrive();
    ptx::cluster_wait();
    //@end

    int turn = 0;  // slices so far, of all my tiles

    if (threadIdx.x == MULTIPLIERS) {  // one thread copies
        for (int pair = cluster; pair < pairs; pair += clusters) {
            const struct place tile = place_of(pair, rank, M, N);
            for (int slice = 0; slice < slices; ++slice, ++turn) {
                copy_slice(shared, &maps, tile, rank, slice * BK, turn);
            }
        }
    }
    if (threadIdx.x < MULTIPLIERS) {
        const int first_row = warp / 4 * ROWS;  // of my warpgroup, in the tile
        for (int pair = cluster; pair < pairs; pair += clusters) {
            const struct place tile = place_of(pair, rank, M, N);
            float acc[BN / 2];  // of 64 x 256, a thread has 128
            for (int slice = 0; slice < slices; ++slice, ++turn) {
                //@cut 3 wait for this slice, multiply it; hand the one before back to both
                wait_for(&shared->full[turn % STAGES], turn / STAGES % 2);
                multiply_slice(acc, &shared->slice[turn % STAGES], first_row, slice == 0);
                ptx::wgmma_wait_group<1>();  // the slice before is done
                if (turn > 0 && lane < CLUSTER) {
                    ptx::mbarrier_arrive_relaxed_cluster(&shared->empty[(turn - 1) % STAGES], lane);
                }
                //@end
            }
            ptx::wgmma_wait_group<0>();
            store_sums(C, M, N, acc, tile.row + first_row + warp % 4 * 16 + lane / 4,
                       tile.col + lane % 4 * 2);
        }
    }
    __syncwarp();
    //@cut 4 let no block end while the other one still copies or arrives there
    ptx::cluster_arrive();
    ptx::cluster_wait();
    //@end
}

// A tensor map takes rows that start at multiples of 16 bytes: 8 elements.
__host__ __device__ constexpr int padded(int length) {
    return ceil_div(length, 8) * 8;
}

// Copies A, then B, into the workspace, with padded rows; a block copies a row.
__global__ void pad(const __half *A, const __half *B, float *C, int M, int N, int K,
                    float *workspace) {
    const bool is_a = blockIdx.x < M;
    const int row = is_a ? blockIdx.x : blockIdx.x - M;
    const int length = is_a ? K : N;
    const __half *from = is_a ? A : B;
    __half *to = (__half *)workspace + (is_a ? 0 : (size_t)M * padded(K));
    for (int col = threadIdx.x; col < length; col += blockDim.x) {
        to[(size_t)row * padded(length) + col] = from[(size_t)row * length + col];
    }
}

// For matrices whose padded copies are larger than a workspace may be: an element for each thread.
__global__ void block_clusters(const __half *A, const __half *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K && row < M && col < N; ++k) {
        sum += __half2float(A[(size_t)row * K + k]) * __half2float(B[(size_t)k * N + col]);
    }
    if (row < M && col < N) {
        C[(size_t)row * N + col] = sum;
    }
}

LAUNCH_CONFIG(block_clusters, M, N, K) {
    const bool aligned = K == padded(K) && N == padded(N);
    const size_t a_bytes = sizeof(__half) * M * padded(K);
    const size_t b_bytes = sizeof(__half) * K * padded(N);
    if (!aligned && a_bytes + b_bytes > WORKSPACE_BYTES_MAX) {
        launch->block = dim3(32, 8);
        launch->grid = dim3(ceil_div(N, 32), ceil_div(M, 8));
        return;
    }
    if (!aligned) {
        launch->workspace_bytes = a_bytes + b_bytes;
        LAUNCH(pad, dim3(M + K), dim3(128));
    }
    launch_tensor(launch, 0, aligned ? 0 : TENSOR_WORKSPACE, TENSOR_FP16, M, K, padded(K), BM, BK,
                  SWIZZLE);
    launch_tensor(launch, 1, aligned ? 1 : TENSOR_WORKSPACE, TENSOR_FP16, K, N, padded(N), BK, WIDE,
                  SWIZZLE, aligned ? 0 : a_bytes);
    const int pairs = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN);
    const int clusters = pairs < FEW ? ceil_div(pairs, 2) : pairs < CLUSTERS ? pairs : CLUSTERS;
    LAUNCH(multiply, dim3(clusters * CLUSTER), dim3(THREADS), sizeof(struct shared));
}

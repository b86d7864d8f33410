// Clusters of two blocks that stay: each copies half of B for both; two warpgroups multiply.
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define BM      128  // rows of C in a tile
#define BN      256  // columns of C in a tile
#define BK      64   // depth of a slice: 128 bytes, the longest row of a swizzled box
#define WIDE    64   // columns of B in a box: also 128 bytes
#define STAGES  4    // slices in shared memory: some are multiplied, the others are on their way
#define ROWS    64   // rows of C that one wgmma computes, and so a warpgroup
#define DEPTH   16   // terms that one wgmma adds
#define CLUSTER 2    // blocks that share tiles of B: their tiles are above each other
#define BLOCKS  128  // that the card runs at a time
#define GROUP   8    // pairs of tiles above each other that are computed together

#define MULTIPLIERS 256                 // threads that multiply: two warpgroups
#define THREADS     (MULTIPLIERS + 32)  // and the warp that copies
#define SWIZZLE     128                 // bytes: the pattern of a box in shared memory
#define EIGHT_ROWS  (8 * SWIZZLE)       // bytes of 8 rows of a box, then the pattern repeats
#define BOXES       (BN / WIDE)         // of B in a slice

struct slice {
    __half a[BM][BK];
    __half b[BOXES][BK][WIDE];
};

struct shared {
    struct slice slice[STAGES];
    unsigned long long full[STAGES];   // phase by phase: the copies of a slice have arrived
    unsigned long long empty[STAGES];  // phase by phase: all warps of both blocks are done with it
};

static __device__ __forceinline__ void wait_for(unsigned long long *mbarrier, int parity) {
    while (!ptx::mbarrier_try_wait_parity(mbarrier, parity)) {
    }
}

// The place of a tile: GROUP rows of pairs are computed column after column, so that blocks that
// run together find their tiles of A and B in the L2 cache.
struct place {
    int row, col;  // of C
};
static __device__ struct place place_of(int pair, int rank, int M, int N) {
    const int pairs = ceil_div(M, CLUSTER * BM);  // above each other
    const int cols = ceil_div(N, BN);
    const int first = pair / (GROUP * cols) * GROUP;
    const int high = min(GROUP, pairs - first);
    const int within = pair % (GROUP * cols);
    return {((first + within % high) * CLUSTER + rank) * BM, within / high * BN};
}

// Starts the copies of a slice: my part of A, and my half of B for both blocks.
static __device__ __forceinline__ void copy_slice(struct slice *to, const tensor_maps *maps,
                                                  struct place tile, int t, int rank,
                                                  unsigned long long *full) {
    ptx::mbarrier_arrive_expect_tx(full, sizeof *to);
    ptx::cp_async_bulk_tensor_2d_shared_global(to->a, &maps->at[0], t, tile.row, full);
    for (int i = rank; i < BOXES; i += CLUSTER) {
        ptx::cp_async_bulk_tensor_2d_shared_global_multicast(to->b[i], &maps->at[1],
                                                             tile.col + i * WIDE, t, full, 3);
    }
}

// Adds the products of my warpgroup's 64 rows of a slice to its sums.
static __device__ __forceinline__ void multiply_slice(float (&acc)[BN / 2],
                                                      const struct slice *slice, int first_row) {
    ptx::wgmma_fence();
#pragma unroll
    for (int k = 0; k < BK; k += DEPTH) {
        const unsigned long long a =
            ptx::wgmma_descriptor(&slice->a[first_row][k], 16, EIGHT_ROWS, SWIZZLE);
        const unsigned long long b =
            ptx::wgmma_descriptor(slice->b[0][k], sizeof slice->b[0], EIGHT_ROWS, SWIZZLE);
        ptx::wgmma_m64n256k16_f16<0, 1>(acc, a, b, 1);
    }
    ptx::wgmma_commit_group();
    ptx::wgmma_wait_group<0>();
}

__global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    multiply(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
             const __grid_constant__ tensor_maps maps) {
    extern __shared__ __align__(1024) unsigned char memory[];
    struct shared *shared = (struct shared *)memory;

    const int lane = threadIdx.x % 32;
    const int rank = ptx::cluster_ctarank();
    const int slices = ceil_div(K, BK);
    const int pairs = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN);
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            ptx::mbarrier_init(&shared->full[stage], 1);
            ptx::mbarrier_init(&shared->empty[stage], CLUSTER * MULTIPLIERS / 32);
        }
        ptx::fence_mbarrier_init();
    }
    ptx::cluster_arrive();  // the mbarriers of both blocks are initialised before any thread of
    ptx::cluster_wait();    // the cluster uses them

    int stage = 0, parity = 0;  // of the next slice
    if (threadIdx.x == MULTIPLIERS) {
        for (int pair = blockIdx.x / CLUSTER; pair < pairs; pair += gridDim.x / CLUSTER) {
            const struct place tile = place_of(pair, rank, M, N);
            for (int slice = 0; slice < slices; ++slice) {
                wait_for(&shared->empty[stage], parity ^ 1);
                copy_slice(&shared->slice[stage], &maps, tile, slice * BK, rank,
                           &shared->full[stage]);
                stage = stage + 1 == STAGES ? 0 : stage + 1;
                parity ^= stage == 0;
            }
        }
    } else if (threadIdx.x < MULTIPLIERS) {
        const int first_row = threadIdx.x / 128 * ROWS;  // of my warpgroup, in the tile
        const int my_row = first_row + threadIdx.x % 128 / 32 * 16 + lane / 4;
        for (int pair = blockIdx.x / CLUSTER; pair < pairs; pair += gridDim.x / CLUSTER) {
            const struct place tile = place_of(pair, rank, M, N);
            float acc[BN / 2] = {};
            for (int slice = 0; slice < slices; ++slice) {
                wait_for(&shared->full[stage], parity);
                multiply_slice(acc, &shared->slice[stage], first_row);
                if (lane < CLUSTER) {
                    ptx::mbarrier_arrive_relaxed_cluster(&shared->empty[stage], lane);
                }
                stage = stage + 1 == STAGES ? 0 : stage + 1;
                parity ^= stage == 0;
            }
#pragma unroll
            for (int j = 0; j < BN / 2; ++j) {
                const int row = tile.row + my_row + j / 2 % 2 * 8;
                const int col = tile.col + lane % 4 * 2 + j / 4 * 8 + j % 2;
                if (row < M && col < N) {
                    C[row * N + col] = acc[j];
                }
            }
        }
    }
    __syncwarp();
    ptx::cluster_arrive();  // no block ends while the other one copies to it, or arrives there
    ptx::cluster_wait();
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
__global__ void warp_specialized(const __half *A, const __half *B, float *C, int M, int N, int K) {
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

LAUNCH_CONFIG(warp_specialized, M, N, K) {
    const bool aligned = K == padded(K) && N == padded(N);
    const size_t a_bytes = sizeof(__half) * M * padded(K);
    const size_t b_bytes = sizeof(__half) * K * padded(N);
    if (!aligned && a_bytes + b_bytes > 64 << 20) {
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
    const int tiles = CLUSTER * ceil_div(M, CLUSTER * BM) * ceil_div(N, BN);
    LAUNCH(multiply, dim3(tiles < BLOCKS ? tiles : BLOCKS), dim3(THREADS), sizeof(struct shared));
}

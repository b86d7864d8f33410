// One launch copies the rows to longer ones and multiplies what has been copied, group by group of
// K: counters hand the groups from all blocks to all.
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define BM     64           // rows of C in a tile
#define BN     64           // columns of C in a tile
#define BK     64           // depth of a slice
#define GROUP  (2 * BK)     // of K: its slices are handed over together
#define STAGES 3            // slices in shared memory
#define GROUPS_MAX 1024     // counters in the workspace, after the copies

#define MULTIPLIERS 128  // threads that multiply: a warpgroup
#define THREADS     (MULTIPLIERS + 32)
#define SWIZZLE     128
#define EIGHT_ROWS  (8 * SWIZZLE)
#define BLOCKS      5

struct shared {
    struct {
        __half a[BM][BK], b[BK][BN];
    } slice[STAGES];
    unsigned long long full[STAGES], empty[STAGES];
};

static __device__ __forceinline__ void wait_for(unsigned long long *mbarrier, int parity) {
    while (!ptx::mbarrier_try_wait_parity(mbarrier, parity)) {
    }
}

// A tensor map takes rows that start at multiples of 16 bytes: 8 elements.
static __host__ __device__ constexpr int padded(int length) {
    return ceil_div(length, 8) * 8;
}
static __host__ __device__ size_t padded_bytes(int M, int N, int K) {
    return sizeof(__half) * ((size_t)M * padded(K) + (size_t)K * padded(N));
}

// Copies rows from first_row on, and of these the columns from first_col on, 8 at a time.
static __device__ void copy_rows(__half *to, const __half *from, int width, int first_row,
                                 int end_row, int first_col, int end_col) {
    const int across = ceil_div(end_col - first_col, 8);
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < (end_row - first_row) * across;
         i += gridDim.x * THREADS) {
        const int row = first_row + i / across, col = first_col + i % across * 8;
        __align__(16) __half eight[8];
        for (int j = 0; j < 8; ++j) {
            eight[j] = col + j < width ? from[(size_t)row * width + col + j] : __half(0.0f);
        }
        *(uint4 *)&to[(size_t)row * padded(width) + col] = *(const uint4 *)eight;
    }
}

// All threads: copies their part of each group, and then says so.
static __device__ void hand_over(const __half *A, const __half *B, int M, int N, int K,
                                 __half *to, unsigned *ready) {
    for (int k = 0; k < K; k += GROUP) {
        copy_rows(to, A, K, 0, M, k, min(k + GROUP, K));
        copy_rows(to + (size_t)M * padded(K), B, N, k, min(k + GROUP, K), 0, N);
        ptx::fence_proxy_async_global();  // what reads the copies are tensor copies
        __threadfence();                  // the copies come before the counter
        __syncwarp();
        if (threadIdx.x % 32 == 0) {
            atomicAdd(&ready[k / GROUP], 1);
        }
    }
}

static __device__ void copy_slices(struct shared *shared, const tensor_maps *maps, int row, int col,
                                   int K, int number, const volatile unsigned *ready) {
    for (int k = 0; k < K; k += BK, ++number) {
        auto *to = &shared->slice[number % STAGES];
        unsigned long long *full = &shared->full[number % STAGES];
        if (k % GROUP == 0) {
            while (ready[k / GROUP] < gridDim.x * (THREADS / 32)) {
            }
            __threadfence();
            ptx::fence_proxy_async_global();
        }
        wait_for(&shared->empty[number % STAGES], number / STAGES % 2 ^ 1);
        ptx::mbarrier_arrive_expect_tx(full, sizeof *to);
        ptx::cp_async_bulk_tensor_2d_shared_global(to->a, &maps->at[0], k, row, full);
        ptx::cp_async_bulk_tensor_2d_shared_global(to->b, &maps->at[1], col, k, full);
    }
}

static __device__ void multiply_slices(float (&acc)[BN / 2], struct shared *shared, int K,
                                       int number) {
    for (int t = 0; t < K; t += BK, ++number) {
        auto *from = &shared->slice[number % STAGES];
        wait_for(&shared->full[number % STAGES], number / STAGES % 2);
        ptx::wgmma_fence();
#pragma unroll
        for (int k = 0; k < BK; k += 16) {
            ptx::wgmma_m64n64k16_f16<0, 1>(
                acc, ptx::wgmma_descriptor(&from->a[0][k], 16, EIGHT_ROWS, SWIZZLE),
                ptx::wgmma_descriptor(from->b[k], 16, EIGHT_ROWS, SWIZZLE), t > 0 || k > 0);
        }
        ptx::wgmma_commit_group();
        ptx::wgmma_wait_group<0>();
        if (threadIdx.x % 32 == 0) {
            ptx::mbarrier_arrive(&shared->empty[number % STAGES]);
        }
    }
}

__global__ void __launch_bounds__(THREADS, 1)
    multiply(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
             const __grid_constant__ tensor_maps maps) {
    extern __shared__ __align__(1024) unsigned char memory[];
    struct shared *shared = (struct shared *)memory;
    unsigned *ready = (unsigned *)workspace + padded_bytes(M, N, K) / 4;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            ptx::mbarrier_init(&shared->full[stage], 1);
            ptx::mbarrier_init(&shared->empty[stage], MULTIPLIERS / 32);
        }
        ptx::fence_mbarrier_init();
    }
    __syncthreads();  // the mbarriers are initialised
    hand_over(A, B, M, N, K, (__half *)workspace, ready);

    const int cols = ceil_div(N, BN), count = ceil_div(M, BM) * cols;
    int number = 0;  // of the next slice, over all tiles
    for (int i = blockIdx.x; i < count; i += gridDim.x, number += ceil_div(K, BK)) {
        const int row = i / cols * BM, col = i % cols * BN;
        if (threadIdx.x == MULTIPLIERS) {
            copy_slices(shared, &maps, row, col, K, number, ready);
        } else if (threadIdx.x < MULTIPLIERS) {
            float acc[BN / 2];
            multiply_slices(acc, shared, K, number);
#pragma unroll
            for (int j = 0; j < BN / 2; ++j) {
                const int r = row + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + j / 2 % 2 * 8;
                const int c = col + j / 4 * 8 + threadIdx.x % 4 * 2 + j % 2;
                if (r < M && c < N) {
                    C[(size_t)r * N + c] = acc[j];
                }
            }
        }
    }
}

// Before the product: no group has been handed over.
__global__ void clear(const __half *A, const __half *B, float *C, int M, int N, int K,
                      float *workspace) {
    unsigned *ready = (unsigned *)workspace + padded_bytes(M, N, K) / 4;
    ready[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

// Never launched: the exercise asks for it.
__global__ void tensor_challenge(const __half *A, const __half *B, float *C, int M, int N, int K) {
}

LAUNCH_CONFIG(tensor_challenge, M, N, K) {
    launch->workspace_bytes = padded_bytes(M, N, K) + sizeof(unsigned) * GROUPS_MAX;
    launch_tensor(launch, 0, TENSOR_WORKSPACE, TENSOR_FP16, M, K, padded(K), BM, BK, SWIZZLE);
    launch_tensor(launch, 1, TENSOR_WORKSPACE, TENSOR_FP16, K, N, padded(N), BK, BN, SWIZZLE,
                  sizeof(__half) * M * padded(K));
    LAUNCH(clear, GROUPS_MAX / 128, 128);
    LAUNCH(multiply, BLOCKS, THREADS, sizeof(struct shared));
}

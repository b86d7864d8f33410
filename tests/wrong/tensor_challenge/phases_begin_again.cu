// expect: barrier_divergence 20  (slices count from 0 in each tile, but phases go on)
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define TILE    64          // rows and columns of C in a tile, and terms in a slice
#define STAGES  2           // slices in shared memory
#define BLOCKS  1           // at most: a block computes one tile after the other
#define THREADS (128 + 32)  // a warpgroup that multiplies, and the warp of the thread that copies

struct shared {
    struct {
        __half a[TILE][TILE], b[TILE][TILE];
    } slice[STAGES];
    unsigned long long full[STAGES], empty[STAGES];
};

static __device__ void wait_for(unsigned long long *mbarrier, int parity) {
    while (!ptx::mbarrier_try_wait_parity(mbarrier, parity)) {
    }
}

__global__ void __launch_bounds__(THREADS)
    multiply(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
             const __grid_constant__ tensor_maps maps) {
    extern __shared__ __align__(1024) unsigned char memory[];
    struct shared *shared = (struct shared *)memory;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            ptx::mbarrier_init(&shared->full[stage], 1);
            ptx::mbarrier_init(&shared->empty[stage], 4);
        }
        ptx::fence_mbarrier_init();
    }
    __syncthreads();  // the mbarriers are initialised

    const int cols = ceil_div(N, TILE), tiles = ceil_div(M, TILE) * cols;
    const int slices = ceil_div(K, TILE);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int row = tile / cols * TILE, col = tile % cols * TILE;
        if (threadIdx.x == 128) {
            for (int slice = 0; slice < slices; ++slice) {
                const int t = slice * TILE;
                auto *to = &shared->slice[slice % STAGES];
                unsigned long long *full = &shared->full[slice % STAGES];
                wait_for(&shared->empty[slice % STAGES], slice / STAGES % 2 ^ 1);
                ptx::mbarrier_arrive_expect_tx(full, sizeof *to);
                ptx::cp_async_bulk_tensor_2d_shared_global(to->a, &maps.at[0], t, row, full);
                ptx::cp_async_bulk_tensor_2d_shared_global(to->b, &maps.at[1], col, t, full);
            }
        } else if (threadIdx.x < 128) {
            float acc[TILE / 2];
            for (int slice = 0; slice < slices; ++slice) {
                auto *from = &shared->slice[slice % STAGES];
                wait_for(&shared->full[slice % STAGES], slice / STAGES % 2);
                ptx::wgmma_fence();
                for (int k = 0; k < TILE; k += 16) {
                    ptx::wgmma_m64n64k16_f16<0, 1>(
                        acc, ptx::wgmma_descriptor(&from->a[0][k], 16, 1024, 128),
                        ptx::wgmma_descriptor(from->b[k], 16, 1024, 128), slice > 0 || k > 0);
                }
                ptx::wgmma_commit_group();
                ptx::wgmma_wait_group<0>();
                if (threadIdx.x % 32 == 0) {
                    ptx::mbarrier_arrive(&shared->empty[slice % STAGES]);
                }
            }
#pragma unroll
            for (int i = 0; i < TILE / 2; ++i) {
                const int r =
                    row + threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
                const int c = col + threadIdx.x % 4 * 2 + i / 4 * 8 + i % 2;
                if (r < M && c < N) {
                    C[(size_t)r * N + c] = acc[i];
                }
            }
        }
    }
}

// A tensor map takes rows that start at multiples of 16 bytes: 8 elements.
static __host__ __device__ int padded(int length) {
    return ceil_div(length, 8) * 8;
}
static __host__ __device__ size_t padded_count(int M, int N, int K) {
    return (size_t)M * padded(K) + (size_t)K * padded(N);
}

// Copies A, then B, to longer rows.
__global__ void pad(const __half *A, const __half *B, float *C, int M, int N, int K,
                    float *workspace) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const bool is_a = i < (size_t)M * padded(K);
    const size_t at = is_a ? i : i - (size_t)M * padded(K);
    const int width = is_a ? K : N, row = at / padded(width), col = at % padded(width);
    if (i < padded_count(M, N, K) && col < width) {
        ((__half *)workspace)[i] = (is_a ? A : B)[(size_t)row * width + col];
    }
}

// For matrices whose copies are larger than a workspace may be: an element for each thread.
__global__ void tensor_challenge(const __half *A, const __half *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K && col < N; ++k) {
        sum += __half2float(A[(size_t)row * K + k]) * __half2float(B[(size_t)k * N + col]);
    }
    if (col < N) {
        C[(size_t)row * N + col] = sum;
    }
}

LAUNCH_CONFIG(tensor_challenge, M, N, K) {
    const size_t bytes = sizeof(__half) * padded_count(M, N, K);
    if (bytes > WORKSPACE_BYTES_MAX) {
        launch->block = 128;
        launch->grid = dim3(ceil_div(N, 128), M);
        return;
    }
    launch->workspace_bytes = bytes;
    launch_tensor(launch, 0, TENSOR_WORKSPACE, TENSOR_FP16, M, K, padded(K), TILE, TILE);
    launch_tensor(launch, 1, TENSOR_WORKSPACE, TENSOR_FP16, K, N, padded(N), TILE, TILE, 128,
                  sizeof(__half) * M * padded(K));
    LAUNCH(pad, ceil_div(padded_count(M, N, K), 256), 256);
    LAUNCH(multiply, min(ceil_div(M, TILE) * ceil_div(N, TILE), BLOCKS), THREADS,
           sizeof(struct shared));
}

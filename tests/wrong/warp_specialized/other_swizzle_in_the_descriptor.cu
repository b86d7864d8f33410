// expect: misaligned 54  (the box has the pattern of 128 bytes)
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define BM     128  // rows of C in a block
#define BN     128  // columns of C in a block
#define BK     64   // depth of a slice: 128 bytes, the longest row of a swizzled box
#define WIDE   64   // columns of B in a box: also 128 bytes
#define STAGES 3    // slices in shared memory: some are multiplied, the others are on their way
#define ROWS   64   // rows of C that one wgmma computes
#define DEPTH  16   // terms that one wgmma adds

#define MULTIPLIERS 128                 // threads that multiply: a warpgroup, 4 warps
#define THREADS     (MULTIPLIERS + 32)  // and the warp that copies
#define SWIZZLE     128                 // bytes: the pattern of a box in shared memory
#define EIGHT_ROWS  (8 * SWIZZLE)       // bytes of 8 rows of a box, then the pattern repeats

struct slice {
    __half a[BM][BK];
    __half b[BN / WIDE][BK][WIDE];  // a box for each 64 columns
};

struct shared {
    struct slice slice[STAGES];
    unsigned long long full[STAGES];   // phase by phase: the copies of a slice have arrived
    unsigned long long empty[STAGES];  // phase by phase: all warps have multiplied it
};

// Starts the copies of the slice of the terms from `t` on; `full` counts their bytes.
static __device__ __forceinline__ void copy_slice(struct slice *to, const tensor_maps *maps, int t,
                                                  unsigned long long *full) {
    ptx::mbarrier_arrive_expect_tx(full, sizeof *to);
    ptx::cp_async_bulk_tensor_2d_shared_global(to->a, &maps->at[0], t, blockIdx.y * BM, full);
    for (int i = 0; i < BN / WIDE; ++i) {
        const int col = blockIdx.x * BN + i * WIDE;
        ptx::cp_async_bulk_tensor_2d_shared_global(to->b[i], &maps->at[1], col, t, full);
    }
}

// Adds the products of a slice to my warpgroup's sums.
static __device__ __forceinline__ void multiply_slice(float (&acc)[BM / ROWS][BN / 2],
                                                      const struct slice *slice) {
    ptx::wgmma_fence();  // the registers of acc may now be used by the tensor cores
#pragma unroll
    for (int k = 0; k < BK; k += DEPTH) {
        const unsigned long long b =
            ptx::wgmma_descriptor(slice->b[0][k], sizeof slice->b[0], EIGHT_ROWS, SWIZZLE);
#pragma unroll
        for (int i = 0; i < BM / ROWS; ++i) {
            const unsigned long long a =
                ptx::wgmma_descriptor(&slice->a[i * ROWS][k], 16, EIGHT_ROWS, 64);
            ptx::wgmma_m64n128k16_f16<0, 1>(acc[i], a, b, 1);
        }
    }
    ptx::wgmma_commit_group();
    ptx::wgmma_wait_group<0>();
}

__global__ void __launch_bounds__(THREADS, 2)
    multiply(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
             const __grid_constant__ tensor_maps maps) {
    extern __shared__ __align__(1024) unsigned char memory[];
    struct shared *shared = (struct shared *)memory;

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int slices = ceil_div(K, BK);
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            ptx::mbarrier_init(&shared->full[stage], 1);                 // the thread that copies
            ptx::mbarrier_init(&shared->empty[stage], MULTIPLIERS / 32);  // one lane of each warp
        }
        ptx::fence_mbarrier_init();
    }
    __syncthreads();  // the mbarriers are initialised before any thread uses them

    if (threadIdx.x == MULTIPLIERS) {  // one thread copies
        for (int slice = 0; slice < slices; ++slice) {
            const int stage = slice % STAGES;
            const int round = slice / STAGES;  // how often this buffer was used before
            while (!ptx::mbarrier_try_wait_parity(&shared->empty[stage], round % 2 ^ 1)) {
            }
            copy_slice(&shared->slice[stage], &maps, slice * BK, &shared->full[stage]);
        }
    }
    if (threadIdx.x >= MULTIPLIERS) {
        return;  // no barrier of the block follows
    }

    float acc[BM / ROWS][BN / 2] = {};  // of each 64 x 128, a thread has 64
    for (int slice = 0; slice < slices; ++slice) {
        const int stage = slice % STAGES;
        const int round = slice / STAGES;
        while (!ptx::mbarrier_try_wait_parity(&shared->full[stage], round % 2)) {
        }
        multiply_slice(acc, &shared->slice[stage]);
        if (lane == 0) {
            ptx::mbarrier_arrive(&shared->empty[stage]);
        }
    }

    const int row = blockIdx.y * BM + warp * 16 + lane / 4;  // of my first element
    const int col = blockIdx.x * BN + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < BM / ROWS; ++i) {
#pragma unroll
        for (int j = 0; j < BN / 2; ++j) {
            const int r = row + i * ROWS + j / 2 % 2 * 8;
            const int c = col + j / 4 * 8 + j % 2;
            if (r < M && c < N) {
                C[r * N + c] = acc[i][j];
            }
        }
    }
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
    LAUNCH(multiply, dim3(ceil_div(N, BN), ceil_div(M, BM)), dim3(THREADS), sizeof(struct shared));
}

// expect: wrong_result  (in odd rows, a word begins with the last element of the row before)
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define BM     64  // rows of C in a tile
#define BN     64  // columns of C in a tile
#define BK     64  // depth of a slice
#define STAGES 2   // slices in shared memory
#define STRIP  32  // columns that a warp stores together

#define MULTIPLIERS 256  // threads that multiply: two warpgroups, of a tile each
#define THREADS     (MULTIPLIERS + 32)
#define SWIZZLE     128
#define EIGHT_ROWS  (8 * SWIZZLE)
#define PAD_THREADS 128
#define PAD_WIDTH   256  // elements that a warp copies to a longer row
#define ADD_THREADS 256
#define BLOCKS      132  // at most

struct shared {
    struct {
        __half a[BM][BK], b[BK][BN];
    } slice[STAGES];
    float strip[MULTIPLIERS / 32][16][STRIP + 4];
    unsigned long long full[STAGES], empty[STAGES];
    unsigned long long go[2];  // phase by phase: it is this warpgroup's turn
};

static __device__ __forceinline__ void wait_for(unsigned long long *mbarrier, int parity) {
    while (!ptx::mbarrier_try_wait_parity(mbarrier, parity)) {
    }
}

static __host__ __device__ int parts_of(int M, int N, int K) {
    return M <= BM && N <= BN ? max(1, ceil_div(K, BK) / 8) : 1;
}

// What the block computes next: a tile, or one part of K of it.
struct work {
    int row, col, part;
    int first, end;  // slices
};
static __device__ struct work work_of(int number, int parts, int N, int K) {
    const int cols = ceil_div(N, BN), slices = ceil_div(K, BK);
    const int part = number % parts, tile = number / parts;
    return {tile / cols * BM, tile % cols * BN, part, slices * part / parts,
            slices * (part + 1) / parts};
}

static __device__ __forceinline__ void copy_slices(struct shared *shared, const tensor_maps *maps,
                                                   struct work work, int number) {
    for (int t = work.first * BK; t < work.end * BK; t += BK, ++number) {
        auto *to = &shared->slice[number % STAGES];
        unsigned long long *full = &shared->full[number % STAGES];
        wait_for(&shared->empty[number % STAGES], number / STAGES % 2 ^ 1);
        ptx::mbarrier_arrive_expect_tx(full, sizeof *to);
        ptx::cp_async_bulk_tensor_2d_shared_global(to->a, &maps->at[0], t, work.row, full);
        ptx::cp_async_bulk_tensor_2d_shared_global(to->b, &maps->at[1], work.col, t, full);
    }
}

static __device__ __forceinline__ void multiply_slices(float (&acc)[BN / 2],
                                                       struct shared *shared, int count,
                                                       int number) {
    for (int slice = 0; slice < count; ++slice, ++number) {
        auto *from = &shared->slice[number % STAGES];
        wait_for(&shared->full[number % STAGES], number / STAGES % 2);
        ptx::wgmma_fence();
#pragma unroll
        for (int k = 0; k < BK; k += 16) {
            ptx::wgmma_m64n64k16_f16<0, 1>(
                acc, ptx::wgmma_descriptor(&from->a[0][k], 16, EIGHT_ROWS, SWIZZLE),
                ptx::wgmma_descriptor(from->b[k], 16, EIGHT_ROWS, SWIZZLE), slice > 0 || k > 0);
        }
        ptx::wgmma_commit_group();
        ptx::wgmma_wait_group<0>();
        if (threadIdx.x % 32 == 0) {
            ptx::mbarrier_arrive(&shared->empty[number % STAGES]);
        }
    }
}

// Stores a warp's 16 rows of sums, 32 columns at a time, through shared memory.
static __device__ __forceinline__ void store(const float (&acc)[BN / 2], float (*strip)[STRIP + 4],
                                             float *to, int M, int N, int row, int first_col) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int n = 0; n < BN; n += STRIP) {
        const int col = first_col + n;
#pragma unroll
        for (int i = 0; i < STRIP / 2; ++i) {
            strip[lane / 4 + i / 2 % 2 * 8][lane % 4 * 2 + i / 4 * 8 + i % 2] = acc[n / 2 + i];
        }
        __syncwarp();  // the strip is full
        for (int r = 0; r < 16; ++r) {
            if (row + r < M && col + lane < N) {
                to[(size_t)(row + r) * N + col + lane] = strip[r][lane];
            }
        }
        __syncwarp();  // it has been read
    }
}

// A tensor map takes rows that start at multiples of 16 bytes: 8 elements.
static __host__ __device__ constexpr int padded(int length) {
    return ceil_div(length, 8) * 8;
}
static __host__ __device__ size_t padded_bytes(int M, int N, int K) {
    return sizeof(__half) * ((size_t)M * padded(K) + (size_t)K * padded(N));
}

__global__ void __launch_bounds__(THREADS, 1)
    multiply(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
             const __grid_constant__ tensor_maps maps) {
    extern __shared__ __align__(1024) unsigned char memory[];
    struct shared *shared = (struct shared *)memory;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            ptx::mbarrier_init(&shared->full[stage], 1);
            ptx::mbarrier_init(&shared->empty[stage], 4);
        }
        ptx::mbarrier_init(&shared->go[0], 4);
        ptx::mbarrier_init(&shared->go[1], 4);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();  // the mbarriers are initialised

    const int group = threadIdx.x / 128, parts = parts_of(M, N, K);
    const int count = ceil_div(M, BM) * ceil_div(N, BN) * parts;
    int number = 0;  // of the next slice, over all tiles
    for (int n = 0, i = blockIdx.x; i < count; ++n, i += gridDim.x) {
        const struct work work = work_of(i, parts, N, K);
        if (threadIdx.x == MULTIPLIERS) {
            copy_slices(shared, &maps, work, number);
        } else if (n % 2 == group) {
            float acc[BN / 2];
            wait_for(&shared->go[group], (n / 2 + group + 1) % 2);
            multiply_slices(acc, shared, work.end - work.first, number);
            if (threadIdx.x % 32 == 0) {
                ptx::mbarrier_arrive(&shared->go[1 - group]);
            }
            float *to = C;
            if (parts > 1) {
                to = workspace + padded_bytes(M, N, K) / 4 + (size_t)work.part * M * N;
            }
            store(acc, shared->strip[threadIdx.x / 32], to, M, N,
                  work.row + threadIdx.x % 128 / 32 * 16, work.col);
        }
        number += work.end - work.first;
    }
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

// Copies the rows of A, then of B, to longer ones: a warp PAD_WIDTH elements, a thread 8 of them.
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
    *(uint4 *)&to[(size_t)row * padded(width) + col] =
        make_uint4(word[0], word[1], word[2], word[3]);
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
    const int tiles = ceil_div(M, BM) * ceil_div(N, BN);
    const int parts = parts_of(M, N, K);
    const size_t bytes =
        padded_bytes(M, N, K) + (parts > 1 ? sizeof(float) * parts * M * N : 0);
    if (bytes > WORKSPACE_BYTES_MAX) {
        launch->block = 128;
        launch->grid = dim3(ceil_div(N, 128), M);
        return;
    }
    launch->workspace_bytes = bytes;
    launch_tensor(launch, 0, TENSOR_WORKSPACE, TENSOR_FP16, M, K, padded(K), BM, BK, SWIZZLE);
    launch_tensor(launch, 1, TENSOR_WORKSPACE, TENSOR_FP16, K, N, padded(N), BK, BN, SWIZZLE,
                  sizeof(__half) * M * padded(K));
    const int pieces = pieces_of(M, K) + pieces_of(K, N);
    LAUNCH(pad, ceil_div(pieces, PAD_THREADS / 32), PAD_THREADS);
    LAUNCH(multiply, min(tiles * parts, BLOCKS), THREADS, sizeof(struct shared));
    if (parts > 1) {
        LAUNCH(add, ceil_div(M * N, ADD_THREADS), ADD_THREADS);
    }
}

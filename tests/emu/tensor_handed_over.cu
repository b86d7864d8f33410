// In one launch, blocks copy rows to longer ones, and copy boxes of what all blocks have copied.
// Each waits while its last box is under way, and the other threads wait for that.
// row: `ptx.cuh`: `fence.proxy.async`, for shared memory and for global memory
// launch: 32x8x18
#include <assert.h>
#include "matmul.cuh"
#include "ptx.cuh"

#define ROWS    8   // of a group, which are handed over together
#define GROUPS  4
#define WIDTH   20  // floats of a longer row, a multiple of 16 bytes
#define THREADS 64
#define BLOCKS  3

// The second warp copies its part of a group of rows, and says so.
__device__ void produce(const float *A, float *to, unsigned *ready, int group, int K)
{
    const int lane = threadIdx.x % 32;
    for (int i = blockIdx.x * 32 + lane; i < ROWS * K; i += BLOCKS * 32) {
        const int row = group * ROWS + i / K;
        to[row * WIDTH + i % K] = A[row * K + i % K];
    }
    ptx::fence_proxy_async_global();
    __threadfence();
    __syncwarp();
    if (lane == 0) {
        atomicAdd(&ready[group], 1);
    }
}

// One thread waits for all parts of a group, and copies it.
__device__ void consume(float *box, const tensor_maps *maps, unsigned long long *full,
                        const volatile unsigned *ready, int group)
{
    while (ready[group] < BLOCKS) {
    }
    __threadfence();
    ptx::mbarrier_arrive_expect_tx(full, ROWS * WIDTH * sizeof *box);
    ptx::cp_async_bulk_tensor_2d_shared_global(box, &maps->at[0], 0, group * ROWS, full);
}

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(128) float box[2][ROWS * WIDTH + 32];
    __shared__ unsigned long long full[2];
    unsigned *ready = (unsigned *)workspace + GROUPS * ROWS * WIDTH;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full[0], 1);
        ptx::mbarrier_init(&full[1], 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    for (int g = -1; g < GROUPS; g++) {
        if (g + 1 < GROUPS && threadIdx.x >= 32) {
            produce(A, workspace, ready, g + 1, K);
        }
        if (g + 1 < GROUPS && threadIdx.x == 0) {
            consume(box[(g + 1) % 2], &maps, &full[(g + 1) % 2], ready, g + 1);
        }
        if (g < 0) {
            continue;
        }
        while (!ptx::mbarrier_try_wait_parity(&full[g % 2], g / 2)) {
        }
        for (int i = threadIdx.x; i < ROWS * WIDTH; i += THREADS) {
            const int row = g * ROWS + i / WIDTH, col = i % WIDTH;
            assert(box[g % 2][i] == (col < K ? A[row * K + col] : 0.0f));
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        C[blockIdx.x] = 1.0f;
    }
}

__global__ void clear(const float *A, const float *B, float *C, int M, int N, int K,
                      float *workspace)
{
    ((unsigned *)workspace + GROUPS * ROWS * WIDTH)[threadIdx.x] = 0;
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->workspace_bytes = (GROUPS * ROWS * WIDTH + GROUPS) * sizeof(float);
    launch_tensor(launch, 0, TENSOR_WORKSPACE, TENSOR_FP32, M, K, WIDTH, ROWS, WIDTH, 0);
    LAUNCH(clear, dim3(1), dim3(GROUPS));
    LAUNCH(copy, dim3(BLOCKS), dim3(THREADS));
}

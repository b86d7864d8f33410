// Bulk tensor copies: boxes inside the matrix and across its edges, each swizzle, rows that are
// shorter than it, and back.
// row: `ptx.cuh`: `cp.async.bulk.tensor`, with `tensor_maps`
// launch: 30x36x28
#include <assert.h>
#include "matmul.cuh"
#include "ptx.cuh"

#define ROWS 32
#define COLS 32  // of the box of A: 128 bytes a row

__device__ void wait(unsigned long long *full, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(full, parity)) {
    }
}

// Element (row, col) of a box with rows of `width` floats that begins at a multiple of 1024 bytes.
__device__ float swizzled(const float *box, int row, int col, int width, int swizzle)
{
    int at = (row * width + col) * 4;
    return box[(at ^ ((at >> 3) & (swizzle - 16))) / 4];
}

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(1024) float box[ROWS * COLS], small[3][16 * 8];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    if (t == 0) {
        ptx::prefetch_tensormap(&maps.at[0]);
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    for (int turn = 0; turn < 4; turn++) {
        const int x = turn % 2 * 16 - 4, y = turn / 2 * 16 - 5;
        if (t == 0) {
            ptx::mbarrier_arrive_expect_tx(&full, sizeof box);
            ptx::cp_async_bulk_tensor_2d_shared_global(box, &maps.at[0], x, y, &full);
        }
        wait(&full, turn & 1);
        for (int i = t; i < ROWS * COLS; i += blockDim.x) {
            int row = i / COLS, col = i % COLS, from_row = y + row, from_col = x + col;
            bool inside = from_row >= 0 && from_row < M && from_col >= 0 && from_col < K;
            assert(swizzled(box, row, col, COLS, 128)
                   == (inside ? A[from_row * K + from_col] : 0.0f));
        }
        __syncthreads();
    }

    // The same 16 x 8 floats without a swizzle and with 32 bytes; and 8 x 16 with 64.
    if (t == 0) {
        ptx::mbarrier_arrive_expect_tx(&full, sizeof small);
        for (int i = 0; i < 3; i++) {
            ptx::cp_async_bulk_tensor_2d_shared_global(small[i], &maps.at[1 + i], 8, 3, &full);
        }
    }
    wait(&full, 0);
    if (t < 128) {
        assert(small[0][t] == B[(3 + t / 8) * N + 8 + t % 8]);
        assert(swizzled(small[1], t / 8, t % 8, 8, 32) == small[0][t]);
        assert(swizzled(small[2], t / 16, t % 16, 16, 64) == B[(3 + t / 16) * N + 8 + t % 16]);
    }
    __syncthreads();

    // Back: B is copied to the right of and below the edge of C; what is outside is not stored to,
    // nor read in shared memory.
    if (t < 128) {
        int row = t / 8, col = t % 8;
        if (28 + col < N && 20 + row < M) {
            small[0][t] = (float)t;
        }
    }
    ptx::fence_proxy_async();
    __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk_tensor_2d_global_shared(&maps.at[4], 28, 20, small[0]);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group<0>();
        assert(C[20 * N + 28] == 0.0f && C[29 * N + 35] == 79.0f);
    }

    // Three dimensions, of which the third one walks over groups of rows.
    if (t == 0) {
        ptx::mbarrier_arrive_expect_tx(&full, 2 * 3 * 8 * 4);
        ptx::cp_async_bulk_tensor_3d_shared_global(box, &maps.at[5], 4, 1, 2, &full);
    }
    wait(&full, 1);
    if (t < 48) {
        assert(box[t] == A[(t / 24 + 2) * 5 * K + (t / 8 % 3 + 1) * K + 4 + t % 8]);
    }
    __syncthreads();

    // Rows of 32 bytes with a swizzle of 128: each begins 128 bytes after the one before.
    if (t == 0) {
        ptx::mbarrier_arrive_expect_tx(&full, 16 * 8 * 4);
        ptx::cp_async_bulk_tensor_2d_shared_global(box, &maps.at[6], 8, 3, &full);
    } else if (t == 64) {
        box[COLS - 1] = 1.0f;  // after the end of the first row, where nothing is copied to
    }
    wait(&full, 0);
    if (t < 128) {
        assert(swizzled(box, t / 8, t % 8, COLS, 128) == B[(3 + t / 8) * N + 8 + t % 8]);
    }
    if (t == 0) {
        ptx::cp_async_bulk_tensor_2d_global_shared(&maps.at[7], 0, 0, box);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group<0>();
        assert(C[0] == B[3 * N + 8] && C[15 * N + 7] == B[18 * N + 15]);
    }
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch_tensor(launch, 0, 0, TENSOR_FP32, M, K, K, ROWS, COLS);
    launch_tensor(launch, 1, 1, TENSOR_FP32, K, N, N, 16, 8, 0);
    launch_tensor(launch, 2, 1, TENSOR_FP32, K, N, N, 16, 8, 32);
    launch_tensor(launch, 3, 1, TENSOR_FP32, K, N, N, 8, 16, 64);
    launch_tensor(launch, 4, 2, TENSOR_FP32, M, N, N, 16, 8, 0);
    launch_tensor(launch, 5, 0, TENSOR_FP32, 5, K, K, 3, 8, 0);
    launch_tensor(launch, 6, 1, TENSOR_FP32, K, N, N, 16, 8);
    launch_tensor(launch, 7, 2, TENSOR_FP32, M, N, N, 16, 8);
    launch->tensor[5].rank = 3;
    launch->tensor[5].size[2] = M / 5;
    launch->tensor[5].stride[1] = 4ull * 5 * K;
    launch->tensor[5].box[2] = 2;
    LAUNCH(copy, dim3(1), dim3(128));
}

// expect: pass  (tiles by tensor maps, two stages, a warp that copies; C goes the same way)
#include "matmul.cuh"
#include "ptx.cuh"

#define TILE   32  // 128 bytes a row: a row of the swizzle
#define STAGES 2
#define ROWS   4  // of C of a thread
#define WORK   (TILE * TILE / ROWS)

struct tile {
    float at[TILE * TILE];
};

// Bits 4 to 6 of the address are XORed with bits 7 to 9, the lower ones of the row.
__device__ int swizzled(int row, int col)
{
    return row * TILE + (col ^ (row % 8 * 4));
}

__host__ __device__ constexpr int whole_pieces(int floats)
{
    return (floats + 3) / 4 * 4;
}

// Copies A, then B, to rows of whole pieces of 16 bytes.
__global__ void pad(const float *A, const float *B, float *C, int M, int N, int K,
                    float *workspace)
{
    bool is_a = (int)blockIdx.x < M;
    int row = is_a ? blockIdx.x : blockIdx.x - M, width = is_a ? K : N;
    const float *from = (is_a ? A : B) + (size_t)row * width;
    float *to = workspace + (is_a ? 0 : (size_t)M * whole_pieces(K));
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        to[(size_t)row * whole_pieces(width) + i] = from[i];
    }
}

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K,
                         float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(1024) struct tile As[STAGES], Bs[STAGES], Cs;
    __shared__ unsigned long long full[STAGES], empty[STAGES];
    int thread = threadIdx.x, tiles = ceil_div(K, TILE);
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    if (thread == 0) {
        for (int i = 0; i < STAGES; i++) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], WORK);
        }
        ptx::fence_mbarrier_init();
    }
    __syncthreads();

    if (thread == WORK) {  // the thread that copies
        ptx::prefetch_tensormap(&maps.at[0]);
        for (int k = 0; k < tiles; k++) {
            int stage = k % STAGES;
            while (!ptx::mbarrier_try_wait_parity(&empty[stage], (k / STAGES & 1) ^ 1)) {
            }
            ptx::mbarrier_arrive_expect_tx(&full[stage], 2 * sizeof(struct tile));
            ptx::cp_async_bulk_tensor_2d_shared_global(&As[stage], &maps.at[0], k * TILE, row,
                                                       &full[stage]);
            ptx::cp_async_bulk_tensor_2d_shared_global(&Bs[stage], &maps.at[1], col, k * TILE,
                                                       &full[stage]);
        }
    }
    int tx = thread % TILE, ty = thread / TILE * ROWS;
    float acc[ROWS] = {};
    for (int k = 0; k < tiles && thread < WORK; k++) {
        int stage = k % STAGES;
        while (!ptx::mbarrier_try_wait_parity(&full[stage], k / STAGES & 1)) {
        }
        for (int i = 0; i < TILE; i++) {
            float b = Bs[stage].at[swizzled(i, tx)];
            for (int r = 0; r < ROWS; r++) {
                acc[r] += As[stage].at[swizzled(ty + r, i)] * b;
            }
        }
        ptx::mbarrier_arrive(&empty[stage]);
    }
    for (int r = 0; r < ROWS && thread < WORK; r++) {
        Cs.at[swizzled(ty + r, tx)] = acc[r];
        if (N % 4 != 0 && row + ty + r < M && col + tx < N) {
            C[(row + ty + r) * N + col + tx] = acc[r];
        }
    }
    ptx::fence_proxy_async();
    __syncthreads();
    if (thread == 0 && N % 4 == 0) {
        ptx::cp_async_bulk_tensor_2d_global_shared(&maps.at[2], col, row, &Cs);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group<0>();
    }
}

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_tiled, M, N, K)
{
    size_t a = (size_t)M * whole_pieces(K), b = (size_t)K * whole_pieces(N);
    bool padded = K % 4 != 0 || N % 4 != 0;
    if (padded) {
        launch->workspace_bytes = (a + b) * sizeof(float);
        LAUNCH(pad, dim3(M + K), dim3(64));
    }
    launch_tensor(launch, 0, padded ? TENSOR_WORKSPACE : 0, TENSOR_FP32, M, K, whole_pieces(K),
                  TILE, TILE);
    launch_tensor(launch, 1, padded ? TENSOR_WORKSPACE : 1, TENSOR_FP32, K, N, whole_pieces(N),
                  TILE, TILE, 128, padded ? a * sizeof(float) : 0);
    if (N % 4 == 0) {
        launch_tensor(launch, 2, 2, TENSOR_FP32, M, N, N, TILE, TILE);
    }
    LAUNCH(multiply, dim3(ceil_div(N, TILE), ceil_div(M, TILE)), dim3(WORK + 32));
}

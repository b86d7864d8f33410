// A product by mbarriers and bulk copies of ptx.cuh, for tests/gpu/check_gpu.sh.  Rows of the
// tiles come by bulk copies if they are whole and aligned, in two stages that a warp of its own
// fills, and rows of C go by bulk copies.  There is no barrier in the loop.
#include "matmul.cuh"
#include "ptx.cuh"

#define TILE   16
#define STAGES 2

// Row of a tile: from the matrix by a bulk copy, or element by element with zeros outside.
__device__ void row_load(float *to, const float *from, int row, int col, int rows, int cols,
                         unsigned long long *full)
{
    if (row < rows && col + TILE <= cols && cols % 4 == 0) {
        ptx::mbarrier_expect_tx(full, TILE * sizeof(float));
        ptx::cp_async_bulk_shared_global(to, &from[row * cols + col], TILE * sizeof(float), full);
        return;
    }
    for (int i = 0; i < TILE; i++) {
        to[i] = row < rows && col + i < cols ? from[row * cols + col + i] : 0.0f;
    }
}

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float As[STAGES][TILE][TILE];
    __shared__ __align__(16) float Bs[STAGES][TILE][TILE];
    __shared__ __align__(16) float Cs[TILE][TILE];
    __shared__ unsigned long long full[STAGES], empty[STAGES], stored;
    int thread = threadIdx.x;
    if (thread == 0) {
        for (int i = 0; i < STAGES; i++) {
            ptx::mbarrier_init(&full[i], 32);
            ptx::mbarrier_init(&empty[i], TILE * TILE);
        }
        ptx::mbarrier_init(&stored, TILE * TILE);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();

    int tiles = ceil_div(K, TILE);
    if (thread >= TILE * TILE) {  // the warp that copies
        int lane = thread % 32, r = lane % TILE;
        for (int k = 0; k < tiles; k++) {
            int stage = k % STAGES;
            while (!ptx::mbarrier_try_wait_parity(&empty[stage], (k / STAGES & 1) ^ 1)) {
            }
            if (lane < TILE) {
                row_load(As[stage][r], A, blockIdx.y * TILE + r, k * TILE, M, K, &full[stage]);
            } else {
                row_load(Bs[stage][r], B, k * TILE + r, blockIdx.x * TILE, K, N, &full[stage]);
            }
            ptx::mbarrier_arrive(&full[stage]);
        }
        return;
    }
    int tx = thread % TILE, ty = thread / TILE;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.0f;
    for (int k = 0; k < tiles; k++) {
        int stage = k % STAGES;
        while (!ptx::mbarrier_try_wait_parity(&full[stage], k / STAGES & 1)) {
        }
        for (int i = 0; i < TILE; i++) {
            acc += As[stage][ty][i] * Bs[stage][i][tx];
        }
        ptx::mbarrier_arrive(&empty[stage]);
    }
    Cs[ty][tx] = acc;
    ptx::fence_proxy_async();
    ptx::mbarrier_arrive(&stored);
    while (!ptx::mbarrier_test_wait_parity(&stored, 0)) {
    }
    bool whole = blockIdx.x * TILE + TILE <= N && N % 4 == 0;
    if (whole && tx == 0 && row < M) {
        ptx::cp_async_bulk_global_shared(&C[row * N + col], Cs[ty], sizeof Cs[0]);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group<0>();
    }
    if (!whole && row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K)
{
    launch->block = dim3(TILE * TILE + 32);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}

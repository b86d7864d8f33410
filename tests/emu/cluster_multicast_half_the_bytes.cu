// Each block expects the bytes of its own copy alone.
// launch: 44x16x8
// expect: uninitialized square @read
// expect: race square @copy @read
// expect: race square @copy @copy
// expect: barrier_divergence full offset=0 phases=2 phase_bytes=256 @full
#include "matmul.cuh"
#include "ptx.cuh"

#define SIDE   8  // of a square of A, or floats of a row of a box
#define STAGES 2

// Two blocks of a cluster walk down A: each copies the upper or the lower half of a square for
// both, and each stores the square to its own columns of C.
__global__ void __cluster_dims__(2, 1, 1)
    copy(const float *A, const float *B, float *C, int M, int N, int K, float *workspace,
         const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(128) float square[STAGES][2][SIDE / 2 * SIDE];
    __shared__ unsigned long long full[STAGES], empty[STAGES];
    const int t = threadIdx.x, squares = ceil_div(M, SIDE);
    const unsigned rank = ptx::cluster_ctarank();
    if (t == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            ptx::mbarrier_init(&full[stage], 1);
            ptx::mbarrier_init(&empty[stage], 4);
        }
        ptx::fence_mbarrier_init();
    }
    ptx::cluster_arrive();
    ptx::cluster_wait();
    if (t == 64) {
        for (int i = 0; i < squares; i++) {
            const int stage = i % STAGES;
            while (!ptx::mbarrier_try_wait_parity(&empty[stage], i / STAGES % 2 ^ 1)) {
            }
            ptx::mbarrier_arrive_expect_tx(&full[stage], sizeof square[stage][0]);
            ptx::cp_async_bulk_tensor_2d_shared_global_multicast(  //@copy
                square[stage][rank], &maps.at[0], 0, i * SIDE + (int)rank * SIDE / 2, &full[stage],
                3);
        }
    } else if (t < 64) {
        for (int i = 0; i < squares; i++) {
            const int stage = i % STAGES, row = i * SIDE + t / SIDE;
            while (!ptx::mbarrier_try_wait_parity(&full[stage], i / STAGES % 2)) {  //@full
            }
            const float value = square[stage][t / 32][t % 32];  //@read
            __syncwarp();
            if (t % 32 < 2) {
                ptx::mbarrier_arrive_cluster(&empty[stage], t % 32);
            }
            if (row < M) {
                C[row * N + rank * SIDE + t % SIDE] = value;
            }
        }
    }
    __syncwarp();
    ptx::cluster_arrive();
    ptx::cluster_wait();
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch_tensor(launch, 0, 0, TENSOR_FP32, M, K, K, SIDE / 2, SIDE, 0);
    LAUNCH(copy, dim3(2), dim3(96));
}

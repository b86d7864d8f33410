// A wait for the wrong mbarrier lets a copy overwrite a buffer that lanes still read.
// launch: 8x8x16
// expect: race RACE_AMONG_PHASES tile @read @copy
// expect: barrier_divergence full offset=8 phases=2 @full
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float tile[2][32];
    __shared__ unsigned long long full[2], empty[2];
    int lane = threadIdx.x % 32;
    int slices = M * K / 32;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < 2; stage++) {
            ptx::mbarrier_init(&full[stage], 1);
            ptx::mbarrier_init(&empty[stage], 1);
        }
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int slice = 0; slice < slices; slice++) {
            int stage = slice % 2;
            for (int i = 0; slice == 2 && i < 2; i++) {
                while (!ptx::mbarrier_try_wait_parity(&full[i], 0)) {
                }
            }
            while (!ptx::mbarrier_try_wait_parity(&empty[0], (slice / 2 + 1) % 2)) {
            }
            ptx::mbarrier_arrive_expect_tx(&full[stage], 128);
            ptx::cp_async_bulk_shared_global(tile[stage], A + 32 * slice, 128,  //@copy
                                             &full[stage]);
        }
    } else if (threadIdx.x >= 32) {
        float sum = 0.0f;
        for (int slice = 0; slice < slices; slice++) {
            int stage = slice % 2;
            while (!ptx::mbarrier_try_wait_parity(&full[stage], slice / 2 % 2)) {  //@full
            }
            sum += tile[stage][lane];  //@read
            __syncwarp();
            if (lane == 0) {
                ptx::mbarrier_arrive(&empty[stage]);
            }
        }
        C[lane] = sum;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

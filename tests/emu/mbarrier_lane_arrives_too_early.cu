// One lane hands a buffer back for its warp, but other lanes may still read it.
// launch: 8x8x16
// expect: race RACE_LACKS_WARP tile @read @copy
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float tile[32];
    __shared__ unsigned long long full, empty;
    int lane = threadIdx.x % 32;
    int rounds = M * K / 32;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int round = 0; round < rounds; round++) {
            while (!ptx::mbarrier_try_wait_parity(&empty, (round + 1) % 2)) {
            }
            ptx::mbarrier_arrive_expect_tx(&full, sizeof tile);
            ptx::cp_async_bulk_shared_global(tile, A + 32 * round, sizeof tile, &full);  //@copy
        }
    } else if (threadIdx.x >= 32) {
        float sum = 0.0f;
        for (int round = 0; round < rounds; round++) {
            while (!ptx::mbarrier_try_wait_parity(&full, round % 2)) {
            }
            sum += tile[lane];  //@read
            if (lane == 0) {
                ptx::mbarrier_arrive(&empty);
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

// The second phase of a buffer in dynamic shared memory expects 128 bytes and gets 64, and one
// arrival is missing too.
// launch: 8x8x8
// expect: barrier_divergence @wait memory offset=264 phases=1 inits=2 absent=1 phase_bytes=64
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ __align__(16) unsigned char memory[];
    float *tile = (float *)memory;
    unsigned long long *full = (unsigned long long *)(tile + 64);
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < 2; stage++) {
            ptx::mbarrier_init(&full[stage], 2);
        }
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    for (int slice = 0; slice < 4; slice++) {
        int stage = slice % 2;
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(&full[stage], 128);
            ptx::cp_async_bulk_shared_global(tile + 32 * stage, A, slice < 3 ? 128 : 64,
                                             &full[stage]);
        } else if (threadIdx.x == 32 && slice < 3) {
            ptx::mbarrier_arrive(&full[stage]);
        }
        while (!ptx::mbarrier_try_wait_parity(&full[stage], slice / 2)) {  //@wait
        }
        C[threadIdx.x] = tile[32 * stage + lane];
        __syncthreads();
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
    launch->shared_bytes = 2 * 128 + 2 * 8;
}

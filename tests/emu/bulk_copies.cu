// Bulk copies to shared memory, in two stages that are used in turn, and back from it.
// row: `ptx.cuh`: `cp.async.bulk`
// launch: 8x8x8
#include <assert.h>
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float tile[2][16];
    __shared__ __align__(16) float out[64];
    __shared__ unsigned long long full[2], empty[2];
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < 2; stage++) {
            ptx::mbarrier_init(&full[stage], 1);
            ptx::mbarrier_init(&empty[stage], 32);
        }
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 32) {  // the producer
        for (int k = 0; k < 4; k++) {
            int stage = k & 1;
            while (!ptx::mbarrier_try_wait_parity(&empty[stage], (k >> 1 & 1) ^ 1)) {
            }
            ptx::mbarrier_arrive_expect_tx(&full[stage], sizeof tile[0]);
            ptx::cp_async_bulk_shared_global(tile[stage], &A[16 * k], 32, &full[stage]);
            ptx::cp_async_bulk_shared_global(&tile[stage][8], &A[16 * k + 8], 32, &full[stage]);
        }
    } else if (threadIdx.x < 32) {
        for (int k = 0; k < 4; k++) {
            int stage = k & 1;
            while (!ptx::mbarrier_try_wait_parity(&full[stage], k >> 1)) {
            }
            if (threadIdx.x < 16) {
                out[16 * k + threadIdx.x] = tile[stage][threadIdx.x];
            }
            ptx::mbarrier_arrive(&empty[stage]);
        }
    }
    ptx::fence_proxy_async();  // of the threads that have stored
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_global_shared(C, out, 128);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_global_shared(&C[32], &out[32], 128);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read<1>();
        out[5] = 0.0f;  // the first group has read it
        ptx::cp_async_bulk_wait_group_read<0>();
    }
    __syncthreads();
    out[threadIdx.x] = 1.0f;
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_wait_group<0>();
        assert(C[5] == A[5] && C[63] == A[63]);
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

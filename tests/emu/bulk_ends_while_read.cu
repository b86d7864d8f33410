// The block ends while its last bulk copy may still read shared memory; the first was waited for.
// launch: 8x8x8
// expect: race out @copy
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float out[64];
    out[threadIdx.x] = A[threadIdx.x];
    ptx::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x < 2) {
        ptx::cp_async_bulk_global_shared(&C[32 * threadIdx.x], &out[32 * threadIdx.x], 64);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read<0>();
    }
    if (threadIdx.x < 2) {
        int at = 32 * threadIdx.x + 16;
        ptx::cp_async_bulk_global_shared(&C[at], &out[at], 64);  //@copy
        ptx::cp_async_bulk_commit_group();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk_wait_group_read<0>();
        }
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

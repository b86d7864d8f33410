// The last group is not waited for, so its copy may still read what is stored to.
// launch: 8x8x8
// expect: race out @copy @store
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float out[64];
    for (int k = 0; k < 2; k++) {
        if (threadIdx.x < 32) {
            out[threadIdx.x] = A[32 * k + threadIdx.x];  //@store
        }
        ptx::fence_proxy_async();
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk_global_shared(&C[32 * k], out, 128);  //@copy
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read<1>();
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_wait_group_read<0>();
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

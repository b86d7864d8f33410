// `.read` waits until shared memory has been read, not until C has been stored.
// launch: 8x8x8
// expect: race @copy @read
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float out[64];
    out[threadIdx.x] = A[threadIdx.x];
    ptx::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_global_shared(C, out, 128);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_global_shared(&C[32], &out[32], 128);  //@copy
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group<1>();
        ptx::cp_async_bulk_wait_group_read<0>();
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        C[threadIdx.x] = C[threadIdx.x] + 1.0f;  // the first group has stored it
    } else {
        out[threadIdx.x] = C[threadIdx.x];  //@read
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

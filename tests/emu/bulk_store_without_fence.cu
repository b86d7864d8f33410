// A copy sees what threads have stored only after their fence.proxy.async.
// launch: 8x8x8
// expect: race out @store @copy
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float out[64];
    out[threadIdx.x] = A[threadIdx.x];  //@store
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_global_shared(C, out, sizeof out);  //@copy
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group<0>();
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

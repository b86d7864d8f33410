// cp.async copies from global memory.
// launch: 8x8x8
// expect: crash not global memory @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile[2][32];
    tile[0][threadIdx.x] = A[threadIdx.x];
    ptx::cp_async_ca_4(&tile[1][threadIdx.x], &tile[0][threadIdx.x]);  //@here
    ptx::cp_async_wait_all();
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

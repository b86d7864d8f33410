// cp.async copies to shared memory.
// launch: 8x8x8
// expect: crash not shared memory @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    ptx::cp_async_ca_4(&C[threadIdx.x], &A[threadIdx.x]);  //@here
    ptx::cp_async_wait_all();
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}

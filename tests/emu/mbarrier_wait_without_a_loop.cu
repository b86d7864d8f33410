// The wait is not repeated, so it may return before the phase is complete.
// launch: 8x8x8
// expect: race tile @store @read
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile[32];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        tile[threadIdx.x] = A[threadIdx.x];  //@store
        ptx::mbarrier_arrive(&full);
        return;
    }
    ptx::mbarrier_try_wait_parity(&full, 0);
    C[threadIdx.x - 32] = C[threadIdx.x] = tile[threadIdx.x - 32];  //@read
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

// One thread alone waits, without a loop: it may be the last to arrive, and need not.
// launch: 8x8x8
// expect: race tile @store @read
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile[64];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 64);
    }
    __syncthreads();
    tile[threadIdx.x] = A[threadIdx.x];  //@store
    ptx::mbarrier_arrive(&full);
    if (threadIdx.x == 63) {
        ptx::mbarrier_test_wait_parity(&full, 0);
        C[5] = tile[5];  //@read
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

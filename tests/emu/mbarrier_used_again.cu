// Right uses of an mbarrier's memory: it is ended after a barrier, used for something else, and
// initialised again with another count, by another thread; another mbarrier goes on.
// launch: 8x8x8
#include <assert.h>
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) unsigned long long bars[2];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bars[0], 64);
        ptx::mbarrier_init(&bars[1], 32);
    }
    __syncthreads();
    ptx::mbarrier_arrive(&bars[0]);
    while (!ptx::mbarrier_try_wait_parity(&bars[0], 0)) {
    }
    __syncthreads();
    if (threadIdx.x == 5) {
        ptx::mbarrier_inval(&bars[0]);
        bars[0] = 7;
    }
    __syncthreads();
    assert(bars[0] == 7);
    __syncthreads();
    if (threadIdx.x == 40) {
        ptx::mbarrier_init(&bars[0], 32);
    }
    __syncthreads();
    ptx::mbarrier_arrive(&bars[threadIdx.x / 32]);
    while (!ptx::mbarrier_test_wait_parity(&bars[threadIdx.x / 32], 0)) {
    }
    C[threadIdx.x] = 0.0f;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

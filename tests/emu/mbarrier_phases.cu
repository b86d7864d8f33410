// Two warps hand a number on and back, phase by phase, by mbarriers alone; counts of arrivals;
// memory that is used again after mbarrier.inval; waits without a loop where all have arrived.
// row: `ptx.cuh`: `mbarrier`
// launch: 8x8x8
#include <assert.h>
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float number;
    __shared__ unsigned long long full, empty, all;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, 32);
        ptx::mbarrier_init(&all, 128);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 5; k++) {
        if (threadIdx.x == 0) {
            while (!ptx::mbarrier_try_wait_parity(&empty, (k & 1) ^ 1)) {
            }
            number = A[k];
            ptx::mbarrier_arrive(&full);
        }
        if (threadIdx.x >= 32) {
            while (!ptx::mbarrier_test_wait_parity(&full, k & 1)) {
            }
            sum += number;
            ptx::mbarrier_arrive(&empty);
        }
    }
    assert(threadIdx.x < 32 || sum == A[0] + A[1] + A[2] + A[3] + A[4]);
    ptx::mbarrier_arrive(&all, 2);
    while (!ptx::mbarrier_try_wait_parity(&all, 0)) {
    }
    if (threadIdx.x == 0) {
        ptx::mbarrier_inval(&empty);
        empty = 7;
        ptx::mbarrier_arrive(&full);
        assert(ptx::mbarrier_test_wait_parity(&full, 1));
    }
    ptx::mbarrier_arrive(&all, 2);
    __syncthreads();
    assert(ptx::mbarrier_test_wait_parity(&all, 1));
    C[threadIdx.x] = 0.0f;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

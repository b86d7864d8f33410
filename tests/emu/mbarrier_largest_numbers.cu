// The most arrivals, in one call all that the phase lacks, and the most bytes.
// row: `ptx.cuh`: `mbarrier`
// launch: 8x8x8
#include <assert.h>
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1048575);
        ptx::mbarrier_arrive(&full);
        ptx::mbarrier_arrive(&full, 1048574);
        assert(ptx::mbarrier_test_wait_parity(&full, 0));
        ptx::mbarrier_expect_tx(&full, 1048575);
        assert(!ptx::mbarrier_test_wait_parity(&full, 1));
    }
    C[threadIdx.x] = 0.0f;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

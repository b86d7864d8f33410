// Nothing says that the other threads no longer poll the mbarrier when one ends it.
// launch: 8x8x8
// expect: race full @wait @inval
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 64);
    }
    __syncthreads();
    ptx::mbarrier_arrive(&full);
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {  //@wait
    }
    C[threadIdx.x] = 0.0f;
    if (threadIdx.x == 63) {
        ptx::mbarrier_inval(&full);  //@inval
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

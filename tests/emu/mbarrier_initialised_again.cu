// mbarrier.init of an mbarrier that was not ended by mbarrier.inval.
// launch: 8x8x8
// expect: crash mbarrier initialised again @again
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ unsigned long long all;
    for (int k = 0; k < 2; k++) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_init(&all, 64);  //@again
        }
        __syncthreads();
        ptx::mbarrier_arrive(&all);
        while (!ptx::mbarrier_try_wait_parity(&all, 0)) {
        }
        __syncthreads();
    }
    C[threadIdx.x] = 0.0f;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

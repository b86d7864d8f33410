// A wait names the third phase by its number, not by its parity.
// launch: 8x8x8
// expect: crash mbarrier parity @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ unsigned long long all;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&all, 64);
    }
    __syncthreads();
    for (int phase = 0; phase < 3; phase++) {
        ptx::mbarrier_arrive(&all);
        while (!ptx::mbarrier_try_wait_parity(&all, phase)) {  //@here
        }
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

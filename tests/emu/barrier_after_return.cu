// Threads that returned are not waited for, but it is said, with both lines.
// launch: 8x8x8
// expect: exited_before_barrier warning @barrier @return
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (threadIdx.x >= 40) {
        return;  //@return
    }
    __syncthreads();  //@barrier
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

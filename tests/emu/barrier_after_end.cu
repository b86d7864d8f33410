// Threads that leave the barrier out and run to the end: a mistake, also where a GPU goes on.
// launch: 8x8x8
// expect: barrier_divergence error @barrier
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (threadIdx.x < 40) {
        __syncthreads();  //@barrier
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

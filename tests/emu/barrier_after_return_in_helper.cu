// A helper's return is not the kernel's: these threads leave the barrier out.
// launch: 8x8x8
// expect: barrier_divergence error @barrier
#include "matmul.cuh"

__device__ int limit(int x)
{
    return x < 50 ? x : 50;
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (limit(threadIdx.x) < 40) {
        __syncthreads();  //@barrier
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

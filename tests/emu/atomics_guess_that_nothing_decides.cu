// An exchange of a value for the same one decides about no load, so the load of what another thread
// has stored is a race.
// launch: 8x8x8
// expect: race @store @load
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int value[64];
    const int t = threadIdx.x;
    value[t] = 0;
    __syncthreads();
    atomicExch(&value[t], t);  //@store
    const int seen = value[t ^ 1];  //@load
    atomicCAS(&value[t ^ 1], seen, seen);
    C[t] = (float)seen;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

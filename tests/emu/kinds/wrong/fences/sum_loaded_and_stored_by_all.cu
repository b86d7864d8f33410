// expect: race 19  (each thread loads, and others store before it does)
// launch: 1x1x64
// result: [sum(A)]
#include "matmul.cuh"

__global__ void fences(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float total;
    const int t = threadIdx.x;
    if (t == 0) {
        total = 0.0f;
    }
    __syncthreads();

    // All volatile and fenced, but without a lock.
    volatile float *sum = &total;
    const float seen = *sum;
    __threadfence_block();
    *sum = seen + A[t];
    __threadfence_block();
    __syncthreads();
    if (t == 0) {
        C[0] = total;
    }
}

LAUNCH_CONFIG(fences, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}

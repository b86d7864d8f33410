// expect: pass  (every thread adds its part with atomicAdd)
// launch: 1x1x500
// result: [sum(a * b for a, b in zip(A, B))]
#include "matmul.cuh"

#define THREADS 128

__global__ void dot(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int t = threadIdx.x;
    if (t == 0) {
        C[0] = 0.0f;
    }
    __syncthreads();  // the sum is 0 before anyone adds
    float part = 0.0f;
    for (int k = t; k < K; k += THREADS) {
        part += A[k] * B[k];
    }
    atomicAdd(&C[0], part);
}

LAUNCH_CONFIG(dot, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}

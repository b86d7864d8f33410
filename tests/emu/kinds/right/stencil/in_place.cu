// expect: pass  (C is filled, then smoothed in place by one block: read, barrier, store)
// launch: 1x200x200
// result: [sum(A[max(i - 1, 0) : i + 2]) for i in range(K)]
#include "matmul.cuh"

#define THREADS 256

__global__ void stencil(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int i = threadIdx.x;
    if (i < K) {
        C[i] = A[i];
    }
    __syncthreads();  // C is full before anyone reads a neighbour
    float sum = 0.0f;
    if (i < K) {
        sum = C[i] + (i > 0 ? C[i - 1] : 0.0f) + (i < K - 1 ? C[i + 1] : 0.0f);
    }
    __syncthreads();  // everyone has read before anyone stores
    if (i < K) {
        C[i] = sum;
    }
}

LAUNCH_CONFIG(stencil, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}

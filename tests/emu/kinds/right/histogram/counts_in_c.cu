// expect: pass  (one block clears C, then all its threads add to C)
// launch: 1x15x500
// result: [A.count(bin - 7) for bin in range(N)]
#include "matmul.cuh"

#define THREADS 96

__global__ void histogram(const float *A, const float *B, float *C, int M, int N, int K)
{
    for (int bin = threadIdx.x; bin < N; bin += THREADS) {
        C[bin] = 0.0f;
    }
    __syncthreads();  // C is 0 before anyone counts
    for (int k = threadIdx.x; k < K; k += THREADS) {
        atomicAdd(&C[(int)A[k] + 7], 1.0f);
    }
}

LAUNCH_CONFIG(histogram, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}

// expect: pass  (atomicAdd in shared memory, one block)
// launch: 1x15x500
// result: [A.count(bin - 7) for bin in range(N)]
#include "matmul.cuh"

#define THREADS 128
#define BINS    15

__global__ void histogram(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int count[BINS];

    const int t = threadIdx.x;
    if (t < BINS) {
        count[t] = 0;
    }
    __syncthreads();  // all counts are 0 before anyone counts
    for (int k = t; k < K; k += THREADS) {
        atomicAdd(&count[(int)A[k] + 7], 1);
    }
    __syncthreads();  // everyone has counted
    if (t < BINS) {
        C[t] = (float)count[t];
    }
}

LAUNCH_CONFIG(histogram, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}

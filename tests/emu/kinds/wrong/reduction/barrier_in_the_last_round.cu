// expect: barrier_divergence 20  (in the last round, threads past the row leave out the barrier)
// launch: 3x1x300
// result: [sum(A[i * K : (i + 1) * K]) for i in range(M)]
#include "matmul.cuh"

#define THREADS 128

__global__ void reduction(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float part[THREADS];

    const int t = threadIdx.x;
    const float *row = A + blockIdx.x * K;
    part[t] = 0.0f;
    __syncthreads();

    for (int k = t; k < (K + THREADS - 1) / THREADS * THREADS; k += THREADS) {
        if (k < K) {
            part[t] += row[k];
            __syncthreads();  // this round is done
        }
    }

    if (t == 0) {
        float sum = 0.0f;
        for (int i = 0; i < THREADS; ++i) {
            sum += part[i];
        }
        C[blockIdx.x] = sum;
    }
}

LAUNCH_CONFIG(reduction, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(M);
}

// expect: uninitialized 20  (one byte of four is never cleared)
// launch: 1x15x500
// result: [A.count(bin - 7) for bin in range(N)]
#include "matmul.cuh"

#define THREADS 32
#define BINS    15

__global__ void histogram(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ unsigned char own[BINS][THREADS];

    const int t = threadIdx.x;
    for (int bin = 0; bin < BINS; ++bin) {
        if (t % 4 != 3) {
            own[bin][t] = 0;
        }
    }
    for (int k = t; k < K; k += THREADS) {
        own[(int)A[k] + 7][t]++;
    }
    __syncthreads();  // everyone has counted
    if (t < BINS) {
        int sum = 0;
        for (int other = 0; other < THREADS; ++other) {
            sum += own[t][other];
        }
        C[t] = (float)sum;
    }
}

LAUNCH_CONFIG(histogram, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}

// expect: race 19 21  (volatile does not keep the lanes of a warp in step)
// launch: 1x1x64
// result: [sum(A)]
#include "matmul.cuh"

#define THREADS 64

__global__ void fences(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float part[THREADS];

    const int t = threadIdx.x;
    part[t] = t < K ? A[t] : 0.0f;
    __threadfence_block();
    __syncthreads();  // all parts are there
    if (t < 32) {
        volatile float *sums = part;
        for (int half = 32; half > 0; half /= 2) {
            float other = sums[t + half];
            if (t < half) {
                sums[t] += other;
            }
        }
        if (t == 0) {
            C[0] = sums[0];
        }
    }
}

LAUNCH_CONFIG(fences, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}

#include "kernel.cuh"

#define THREADS 256

__global__ void reduction(const float *x, float *y, int N)
{
    __shared__ float sums[THREADS];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = t; i < N; i += THREADS) {
        sum += x[i];
    }
    sums[t] = sum;
    __syncthreads();  // 所有的和都在那里了
    if (t < 64) {
        sums[t] += sums[t + 64] + sums[t + 128] + sums[t + 192];
    }
    __syncthreads();  // 还剩 64 个，在两个线程束里
    if (t < 32) {
        sums[t] += sums[t + 32];
        for (int step = 16; step > 0; step /= 2) {
            const float other = sums[(t + step) % 32];
            sums[t] += other;
        }
        if (t == 0) {
            y[0] = sums[0];
        }
    }
}

LAUNCH_CONFIG(reduction, N)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}

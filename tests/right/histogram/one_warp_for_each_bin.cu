// expect: pass  (a warp counts one key)
#include "kernel.cuh"

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
    const int bin = blockIdx.x;
    int sum = 0;
    for (int i = threadIdx.x; i < N; i += 32) {
        sum += keys[i] == bin;
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, step);
    }
    if (threadIdx.x == 0) {
        counts[bin] = sum;
    }
}

LAUNCH_CONFIG(histogram, N)
{
    launch->block = dim3(32);
    launch->grid = dim3(256);
}

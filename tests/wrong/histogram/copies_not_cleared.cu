// expect: uninitialized 17  (shared memory holds nothing useful at first)
#include "kernel.cuh"

#define BINS 256

__global__ void clear(const uint8_t *keys, int *counts, int N)
{
    counts[threadIdx.x] = 0;
}

__global__ void count(const uint8_t *keys, int *counts, int N)
{
    __shared__ int mine[BINS];
    const int t = threadIdx.x;
    __syncthreads();  // all counts are 0
    for (int i = blockIdx.x * BINS + t; i < N; i += gridDim.x * BINS) {
        atomicAdd(&mine[keys[i]], 1);
    }
    __syncthreads();  // all keys are counted
    if (mine[t] > 0) {
        atomicAdd(&counts[t], mine[t]);
    }
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
}

LAUNCH_CONFIG(histogram, N)
{
    LAUNCH(clear, dim3(1), dim3(BINS));
    LAUNCH(count, dim3(min(9, ceil_div(N, BINS))), dim3(BINS));
}

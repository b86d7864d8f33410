// expect: not_written 13  (counts hold nothing useful at first)
#include "kernel.cuh"

__global__ void clear(const uint8_t *keys, int *counts, int N)
{
    counts[threadIdx.x] = 0;
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        atomicAdd(&counts[keys[i]], 1);
    }
}

LAUNCH_CONFIG(histogram, N)
{
    LAUNCH(histogram, dim3(ceil_div(N, 256)), dim3(256));
}

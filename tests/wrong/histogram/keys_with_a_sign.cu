// expect: out_of_bounds 13  (keys from 128 on are negative)
#include "kernel.cuh"

__global__ void clear(const uint8_t *keys, int *counts, int N)
{
    counts[threadIdx.x] = 0;
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        atomicAdd(&counts[(int8_t)keys[i]], 1);
    }
}

LAUNCH_CONFIG(histogram, N)
{
    LAUNCH(clear, dim3(1), dim3(256));
    LAUNCH(histogram, dim3(ceil_div(N, 256)), dim3(256));
}

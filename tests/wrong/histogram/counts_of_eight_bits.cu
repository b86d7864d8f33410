// expect: wrong_result  (a thread that meets a key 256 times counts from 0 again)
#include "kernel.cuh"

#define THREADS 32

__global__ void clear(const uint8_t *keys, int *counts, int N)
{
    counts[threadIdx.x] = 0;
}

__global__ void count(const uint8_t *keys, int *counts, int N)
{
    __shared__ uint8_t mine[THREADS][256];
    const int t = threadIdx.x;

    for (int i = 0; i < 256; ++i) {
        mine[t][i] = 0;
    }
    for (int i = blockIdx.x * THREADS + t; i < N; i += gridDim.x * THREADS) {
        ++mine[t][keys[i]];
    }
    for (int i = 0; i < 256; ++i) {
        atomicAdd(&counts[i], mine[t][i]);
    }
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
}

LAUNCH_CONFIG(histogram, N)
{
    LAUNCH(clear, dim3(1), dim3(256));
    LAUNCH(count, dim3(1), dim3(THREADS));
}

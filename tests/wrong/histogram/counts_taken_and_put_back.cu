// expect: race 18 19  (a block that finds a 0 while another one has the count loses it)
#include "kernel.cuh"

__global__ void clear(const uint8_t *keys, int *counts, int N)
{
    counts[threadIdx.x] = 0;
}

__global__ void count(const uint8_t *keys, int *counts, int N)
{
    __shared__ int mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < N; i += gridDim.x * 256) {
        atomicAdd(&mine[keys[i]], 1);
    }
    __syncthreads();
    const int old = atomicExch(&counts[threadIdx.x], 0);
    atomicExch(&counts[threadIdx.x], old + mine[threadIdx.x]);
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
}

LAUNCH_CONFIG(histogram, N)
{
    LAUNCH(clear, dim3(1), dim3(256));
    LAUNCH(count, dim3(min(264, ceil_div(N, 1024))), dim3(256));
}

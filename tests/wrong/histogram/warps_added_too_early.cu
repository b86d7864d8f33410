// expect: race 17 25  (other warps still count)
#include "kernel.cuh"

#define WARPS 4

__global__ void clear(const uint8_t *keys, int *counts, int N)
{
    counts[threadIdx.x] = 0;
}

__global__ void count(const uint8_t *keys, int *counts, int N)
{
    __shared__ int mine[WARPS][256];
    const int lane = threadIdx.x % 32;
    int *own = mine[threadIdx.x / 32];
    for (int bin = lane; bin < 256; bin += 32) {
        own[bin] = 0;
    }
    __syncwarp();  // the counts of this warp are 0
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
        atomicAdd(&own[keys[i]], 1);
    }
    __syncwarp();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
        atomicAdd(&counts[bin], mine[0][bin] + mine[1][bin] + mine[2][bin] + mine[3][bin]);
    }
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
}

LAUNCH_CONFIG(histogram, N)
{
    LAUNCH(clear, dim3(1), dim3(256));
    LAUNCH(count, dim3(min(6, ceil_div(N, 128))), dim3(32 * WARPS));
}
